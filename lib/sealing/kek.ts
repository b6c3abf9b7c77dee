/** A key-encryption key and its id. Printing, serialising or cloning it never reveals the key. */
import { createHmac } from 'node:crypto'
import { inspect } from 'node:util'

export type Kek = {
  /** 16 hexadecimal digits derived from the key: the same key has the same id everywhere. */
  readonly id: string
  /** 32 bytes. */
  readonly key: Buffer
}

class GuardedKek implements Kek {
  readonly id: string
  readonly #key: Buffer

  constructor(id: string, key: Buffer) {
    this.id = id
    this.#key = key
  }

  get key(): Buffer {
    return this.#key
  }

  toJSON(): string {
    return `[key ${this.id}]`
  }

  toString(): string {
    return this.toJSON()
  }

  [inspect.custom](): string {
    return this.toJSON()
  }
}

/** Creates a Kek from a key of 32 bytes, as `readKeyFile` returns it. */
export function createKek(key: Buffer): Kek {
  const id = createHmac('sha256', key).update('gatehouse key id').digest('hex').slice(0, 16)
  return new GuardedKek(id, key)
}
