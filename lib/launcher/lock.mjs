/** Lets only one process at a time install, generate or build in this project, with a lock that the kernel releases when its holder ends. */
import { statSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** The folder itself identifies the lock, whatever path or mount namespace leads to it. */
function lockAddress() {
  const { dev, ino } = statSync('.')
  const name = `gatehouse-${dev}-${ino}`
  // On Linux the socket has an abstract name, not a file. Elsewhere the file of a dead holder remains and is replaced.
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`)
}

/**
 * Runs `work` while no other process of this project holds the lock; waits for one that does, and says so. Not re-entrant.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProjectLock(work) {
  const release = await acquire(lockAddress())
  try {
    return await work()
  } finally {
    await release()
  }
}

/** @param {string} address @returns {Promise<() => Promise<void>>} */
async function acquire(address) {
  let told = false
  for (;;) {
    const release = await listen(address)
    if (release) return release
    await holderEnds(address, (holder) => {
      if (!told) process.stdout.write(`${holder} is installing or building here. Waiting for it to finish …\n`)
      told = true
    })
    await delay(50)
  }
}

/**
 * Takes the address and tells each waiting process who holds it. Null if another process holds it.
 * @param {string} address @returns {Promise<(() => Promise<void>) | null>}
 */
function listen(address) {
  /** @type {Set<import('node:net').Socket>} */
  const waiting = new Set()
  const server = createServer((socket) => {
    waiting.add(socket.once('close', () => waiting.delete(socket)).on('error', () => undefined))
    socket.write(`${process.pid}\n`)
  })
  const release = () =>
    new Promise((resolve) => {
      server.close(() => resolve(undefined))
      for (const socket of waiting) socket.destroy()
    })
  return new Promise((resolve, reject) => {
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => (error.code === 'EADDRINUSE' ? resolve(null) : reject(error)))
    server.listen(address, () => resolve(async () => void (await release())))
  })
}

/** Resolves when the process that holds the address ends or releases it. @param {string} address @param {(holder: string) => void} hear */
function holderEnds(address, hear) {
  return new Promise((resolve) => {
    const socket = connect(address)
    socket.on('data', (chunk) => hear(`Process ${Number.parseInt(chunk.toString(), 10)}`))
    // A holder that is not one of Gatehouse's programs sends nothing.
    socket.setTimeout(1000, () => hear('Another program'))
    socket.once('error', async (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === 'ECONNREFUSED' && !address.startsWith('\0')) await unlink(address).catch(() => undefined)
    })
    socket.once('close', () => resolve(undefined))
  })
}
