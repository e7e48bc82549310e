//go:build unix

package conform

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes the process the head of its own group, so that its children
// can be ended with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// An error of either says that nobody is left to signal.

func terminate(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGTERM) }
func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
