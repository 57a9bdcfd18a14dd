/**
 * Ends this process when its parent has ended, as if a terminal had been closed. npm passes SIGINT and SIGTERM on to
 * the program that it runs, and no other signal. A gateway whose npm was ended by SIGHUP or SIGKILL would go on unseen,
 * with its port, its data folder and its local chain.
 */
export function stopWithParent(): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGHUP')
  }, intervalMs)
  timer.unref()
}

const intervalMs = 500
