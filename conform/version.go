package conform

// Version is floorcheck's own.
const Version = "0.1.0"

// Suite pins what a check asks: the generator, its scopes and counts, and the
// rules. It changes when any of them may find something new.
const Suite = "2026.1"

// Protocol is the version of the wire.
const Protocol = 1
