/** One connection to PostgreSQL beside the pool, for what belongs to a session: notifications, and a lock that is held until it ends. */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { PostgresqlAddress } from '@/lib/settings/database'
import { connectionOptions } from './postgresql'

/**
 * name: what PostgreSQL shows of it. opened: the connection listens. notified: to each notification of the channel. closed: it is lost, with every lock of its session. failed: the first of
 * several attempts to open it that fail one after another.
 */
export type SessionOptions = {
  name: string
  channel: string
  opened: (session: PostgresqlSession) => void
  notified: (text: string) => void
  closed: () => void
  failed?: (error: unknown) => void
}

const retryMs = 500
/** A query that takes longer ends the session: whoever asks is waiting to know that it lives. */
const answerMs = 4_000

/** Opens the connection, and again whenever it is lost, until it is closed for good. */
export class PostgresqlSession {
  readonly #address: PostgresqlAddress
  readonly #options: SessionOptions
  readonly #stop = new AbortController()
  readonly #going: Promise<void>
  #client: pg.Client | null = null
  #fails = false

  constructor(address: PostgresqlAddress, options: SessionOptions) {
    this.#address = address
    this.#options = options
    this.#going = this.#go()
  }

  /** Rejects without a connection, and if it fails; then the session ends, and a new one opens. */
  async query(text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
    const client = this.#client
    if (!client) throw new Error('The session with the database is lost.')
    try {
      return (await client.query(text, [...values])).rows
    } catch (error) {
      if (this.#client === client) this.#end(client)
      throw error
    }
  }

  async close(): Promise<void> {
    this.#stop.abort()
    const client = this.#client
    if (client) {
      this.#client = null
      await client.end().catch(() => {})
    }
    await this.#going
  }

  async #go(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#once()
      await delay(retryMs, undefined, { signal: this.#stop.signal, ref: false }).catch(() => {})
    }
  }

  /** From one connection to its end. */
  async #once(): Promise<void> {
    const client = new pg.Client({ ...connectionOptions(this.#address), application_name: this.#options.name, query_timeout: answerMs })
    const over = new Promise<void>((resolve) => client.once('end', resolve))
    client.on('error', () => this.#end(client))
    client.on('notification', ({ payload = '' }) => this.#options.notified(payload))
    try {
      await client.connect()
      await client.query(`LISTEN ${pg.escapeIdentifier(this.#options.channel)}`)
    } catch (error) {
      this.#end(client)
      if (!this.#fails) this.#options.failed?.(error)
      this.#fails = true
      return
    }
    this.#fails = false
    if (this.#stop.signal.aborted) return this.#end(client)
    this.#client = client
    this.#options.opened(this)
    await over
    this.#client = null
    this.#options.closed()
  }

  /** Without waiting for an answer: a peer that is gone gives none. */
  #end(client: pg.Client): void {
    if (this.#client === client) this.#client = null
    void client.end().catch(() => {})
    // node-postgres waits for the server's goodbye.
    ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
  }
}
