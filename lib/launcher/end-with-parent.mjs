/** Imported before a program that does not notice when the launcher which started it is gone: ends that program then. */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
