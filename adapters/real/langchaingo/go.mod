module github.com/floorcheck/floorcheck/adapters/real/langchaingo

go 1.26.7

require (
	github.com/floorcheck/floorcheck v0.0.0
	github.com/tmc/langchaingo v0.1.14
)

require (
	github.com/dlclark/regexp2 v1.10.0 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/pkoukk/tiktoken-go v0.1.6 // indirect
	golang.org/x/text v0.42.0 // indirect
)

replace github.com/floorcheck/floorcheck => ../../..
