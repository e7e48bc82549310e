//go:build unix

package conform

import (
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// ownGroup makes the process the head of its own group, so that its children
// can be ended with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// An error of either says that nobody is left to signal.

func terminate(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGTERM) }
func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// tryWriter gives a function that writes what a pipe takes without waiting, or
// nil. It spares lock-step a goroutine.
func tryWriter(w io.Writer) func(text []byte) (n int) {
	file, isFile := w.(*os.File)
	if !isFile || file.SetWriteDeadline(time.Time{}) != nil { // without deadlines its writes wait
		return nil
	}
	conn, err := file.SyscallConn()
	if err != nil {
		return nil
	}
	return func(text []byte) (n int) {
		err := conn.Write(func(fd uintptr) (done bool) {
			n, _ = syscall.Write(int(fd), text) // the goroutine meets the error again
			return true
		})
		if err != nil || n < 0 {
			return 0
		}
		return n
	}
}

// tryReader gives a function that reads what a pipe holds without waiting, or
// nil. Its error is the deadline's.
func tryReader(r io.Reader) func(buf []byte) (n int, err error) {
	file, isFile := r.(*os.File)
	if !isFile || file.SetReadDeadline(time.Time{}) != nil {
		return nil
	}
	conn, err := file.SyscallConn()
	if err != nil {
		return nil
	}
	return func(buf []byte) (n int, err error) {
		err = conn.Read(func(fd uintptr) (done bool) {
			n, _ = syscall.Read(int(fd), buf) // the next read that waits meets the error again
			return true
		})
		return max(n, 0), err
	}
}
