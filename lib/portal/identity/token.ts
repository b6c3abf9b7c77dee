/** Random tokens of 32 bytes, of which only the SHA-256 is stored. */
import 'server-only'
import { createHash, randomBytes } from 'node:crypto'

const shape = /^[A-Za-z0-9_-]{43}$/

/** 32 random bytes as base64url, 43 characters. */
export const createToken = (): string => randomBytes(32).toString('base64url')

/** 16 random bytes as base64url: the id of a row. */
export const createRowId = (): string => randomBytes(16).toString('base64url')

/** The stored form of a token: hex of its SHA-256. Random tokens need no slow hash. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** True for a text that createToken could have produced. */
export const isToken = (value: unknown): value is string => typeof value === 'string' && shape.test(value)
