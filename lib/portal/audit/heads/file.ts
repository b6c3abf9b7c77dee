/** The head file on disk. Lines are only ever appended, so it can be made append-only (chattr +a). */
import 'server-only'
import { constants, createReadStream, existsSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { getSettings } from '@/lib/settings/settings'

const newline = 0x0a

export const headFileExists = (): boolean => existsSync(getSettings().portalAuditHeads)

/** The file's inode number; null if there is no file. A different number means that the file was replaced. */
export async function findHeadFile(): Promise<number | null> {
  if (!headFileExists()) return null
  const file = await open(getSettings().portalAuditHeads, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { ino, size } = await file.stat()
    return size === 0 ? null : ino
  } finally {
    await file.close()
  }
}

/** Appends the lines in one write and waits for fsync. Starts on a new line if a crash cut the last one off. */
export async function appendLines(lines: readonly string[]): Promise<void> {
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants
  const file = await open(getSettings().portalAuditHeads, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600)
  try {
    const start = (await endsMidLine(file)) ? '\n' : ''
    await file.appendFile(`${start}${lines.map((line) => `${line}\n`).join('')}`)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function endsMidLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat()
  if (size === 0) return false
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] !== newline
}

/** Reads line by line, because the file grows for years. Yields nothing if there is no file. */
export async function* readLines(): AsyncGenerator<string> {
  if (!headFileExists()) return
  const input = createReadStream(getSettings().portalAuditHeads)
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) if (line !== '') yield line
  } finally {
    input.destroy()
  }
}
