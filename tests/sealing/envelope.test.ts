import crypto, { createCipheriv, randomBytes } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { findKekId, maxPlaintextBytes, open, rewrap, SealBroken, seal } from '@/lib/sealing/envelope'
import { createKek, type Kek } from '@/lib/sealing/kek'
import { seededRuns } from '@/tests/support/seeds'

const aad = ['gatehouse', '1', 'Connection', 'sealedKey', 'c1', 'u1', 't1', 'https://a.example', '/api', '1']

const newKek = () => createKek(randomBytes(32))
const knowing =
  (...keks: Kek[]) =>
  (id: string) =>
    keks.find((kek) => kek.id === id)

/** The message of the one error type; anything else fails the test. */
function refusal(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof SealBroken) return error.message
    throw error
  }
  throw new Error('It opened.')
}

test('anything encrypted can be decrypted, with the same fields only', () => {
  const kek = newKek()
  const bytes = fc.uint8Array({ maxLength: 600 })
  const fields = fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 6 })
  fc.assert(
    fc.property(bytes, fields, fields, (plaintext, sealedWith, openedWith) => {
      const blob = seal({ kek, plaintext, aad: sealedWith })
      expect(new Uint8Array(open({ keks: knowing(kek), blob, aad: sealedWith }))).toEqual(plaintext)
      const same = JSON.stringify(sealedWith) === JSON.stringify(openedWith)
      if (!same) refusal(() => open({ keks: knowing(kek), blob, aad: openedWith }))
    }),
    { numRuns: seededRuns(10_000) },
  )
})

test('fields that look the same when joined are not the same fields', () => {
  const kek = newKek()
  const blob = seal({ kek, plaintext: Buffer.from('secret'), aad: ['ab', 'c'] })
  for (const other of [['a', 'bc'], ['abc'], ['ab', 'c', ''], ['', 'ab', 'c'], ['ab\0c']])
    refusal(() => open({ keks: knowing(kek), blob, aad: other }))
})

test('security 6: a blob with any flipped byte cannot be decrypted, always with the same error message', () => {
  const kek = newKek()
  const blob = seal({ kek, plaintext: Buffer.from('gh_a-key-of-some-length'), aad })
  const messages = new Set<string>()
  for (let at = 0; at < blob.length; at += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const flipped = Uint8Array.from(blob, (byte, index) => (index === at ? byte ^ (1 << bit) : byte))
      messages.add(refusal(() => open({ keks: () => kek, blob: flipped, aad })))
    }
  }
  expect([...messages]).toEqual(['This encrypted value cannot be decrypted.'])
})

test('security 6: tags of 15, 12, 8, 4 and 0 bytes are refused, whether truncated or created with the key', () => {
  const kek = newKek()
  const blob = seal({ kek, plaintext: Buffer.from('secret'), aad })
  for (const kept of [15, 12, 8, 4, 0]) {
    refusal(() => open({ keks: knowing(kek), blob: blob.subarray(0, blob.length - 16 + kept), aad }))
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', kek.key, nonce, { authTagLength: kept === 0 ? 4 : kept })
    const short = Buffer.concat([nonce, cipher.update(randomBytes(32)), cipher.final(), cipher.getAuthTag()])
    refusal(() => open({ keks: knowing(kek), blob: Buffer.concat([blob.subarray(0, 10), short, blob.subarray(70)]), aad }))
  }
})

test('security 6: unknown versions, algorithms and key ids, an empty and a ten-megabyte blob give the same error', () => {
  const kek = newKek()
  const blob = seal({ kek, plaintext: Buffer.from('secret'), aad })
  const changed = (at: number, value: number) => Uint8Array.from(blob, (byte, index) => (index === at ? value : byte))
  const blobs = [changed(0, 0), changed(0, 2), changed(1, 0), changed(1, 2), changed(2, (blob[2] ?? 0) ^ 255)]
  const odd = [
    ...blobs,
    new Uint8Array(),
    new Uint8Array(1),
    blob.subarray(0, 97),
    randomBytes(10_000_000),
    Buffer.concat([blob, randomBytes(10_000_000)]),
  ]
  expect(new Set(odd.map((each) => refusal(() => open({ keks: knowing(kek), blob: each, aad })))).size).toBe(1)
})

test('security 6: decrypting arbitrary bytes either succeeds or is refused, nothing else', () => {
  const kek = newKek()
  const blob = seal({ kek, plaintext: Buffer.from('secret'), aad })
  const spliced = fc.tuple(fc.nat(blob.length), fc.uint8Array({ maxLength: 300 }), fc.nat(blob.length)).map(([head, middle, tail]) => {
    return Buffer.concat([blob.subarray(0, head), middle, blob.subarray(tail)])
  })
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), spliced), (bytes) => {
      if (Buffer.from(blob).equals(bytes)) return
      refusal(() => open({ keks: () => kek, blob: bytes, aad }))
    }),
    { numRuns: seededRuns(10_000) },
  )
})

/** How many bytes each decryption of AES is given while `act` runs. */
function decryptions(act: () => void): number[] {
  const lengths: number[] = []
  const original = crypto.createDecipheriv
  const counted = vi.spyOn(crypto, 'createDecipheriv').mockImplementation(((...given: Parameters<typeof original>) => {
    const decipher = original(...given)
    const update = decipher.update.bind(decipher)
    decipher.update = ((bytes: Buffer) => {
      lengths.push(bytes.length)
      return update(bytes)
    }) as typeof decipher.update
    return decipher
  }) as typeof original)
  syncBuiltinESMExports()
  try {
    act()
  } finally {
    counted.mockRestore()
    syncBuiltinESMExports()
  }
  return lengths
}

test('security 6: after a failure at the key as much is decrypted as after one at the data', () => {
  const [kek, other] = [newKek(), newKek()]
  const blob = seal({ kek, plaintext: randomBytes(2_000), aad })
  const broken = Uint8Array.from(blob, (byte, index) => (index === blob.length - 1 ? byte ^ 1 : byte))
  const atKey = decryptions(() => refusal(() => open({ keks: () => other, blob, aad })))
  const atData = decryptions(() => refusal(() => open({ keks: () => kek, blob: broken, aad })))
  expect(atData).toEqual([32, 2_000])
  expect(atKey).toEqual(atData)
})

test('security 4: the same secret encrypted twice has no common byte run beyond its header', () => {
  const kek = newKek()
  const plaintext = Buffer.from('gh_one-and-the-same-key')
  const [first, second] = [seal({ kek, plaintext, aad }), seal({ kek, plaintext, aad })]
  expect(first.length).toBe(second.length)
  const rest = Buffer.from(second.subarray(10))
  for (let at = 10; at + 4 <= first.length; at += 1) expect(rest.includes(Buffer.from(first.subarray(at, at + 4)))).toBe(false)
  expect(Buffer.from(first).includes(plaintext)).toBe(false)
})

test('rewrapping changes the key a blob needs and leaves its ciphertext unchanged', () => {
  const [old, fresh] = [newKek(), newKek()]
  const blob = seal({ kek: old, plaintext: Buffer.from('secret'), aad })
  const moved = rewrap({ keks: knowing(old), blob, aad, to: fresh })
  expect(findKekId(blob)).toBe(old.id)
  expect(findKekId(moved)).toBe(fresh.id)
  expect(moved.subarray(70)).toEqual(blob.subarray(70))
  expect(open({ keks: knowing(fresh), blob: moved, aad }).toString()).toBe('secret')
  refusal(() => open({ keks: knowing(old), blob: moved, aad }))
  refusal(() => rewrap({ keks: knowing(fresh), blob, aad, to: fresh }))
  refusal(() => rewrap({ keks: knowing(old), blob, aad: aad.slice(1), to: fresh }))
})

test('a wrapped key moved to another key id cannot be decrypted, even if the key is the same', () => {
  const kek = newKek()
  const twin = { id: '0123456789abcdef', key: kek.key }
  const blob = seal({ kek, plaintext: Buffer.from('secret'), aad })
  const renamed = Buffer.concat([blob.subarray(0, 2), Buffer.from(twin.id, 'hex'), blob.subarray(10)])
  refusal(() => open({ keks: () => twin, blob: renamed, aad }))
})

test('the longest secret can be encrypted; one byte more is refused', () => {
  const kek = newKek()
  const longest = randomBytes(maxPlaintextBytes)
  expect(open({ keks: knowing(kek), blob: seal({ kek, plaintext: longest, aad }), aad }).equals(longest)).toBe(true)
  expect(() => seal({ kek, plaintext: randomBytes(maxPlaintextBytes + 1), aad })).toThrow(RangeError)
})

test('security 11: a key does not appear when it is printed, serialised, cloned or put into an error', () => {
  const key = randomBytes(32)
  const kek = createKek(key)
  const shown = [
    inspect(kek, { depth: 9, showHidden: true }),
    JSON.stringify({ kek }),
    String(kek),
    inspect(structuredClone(kek)),
    inspect(new Error('x', { cause: kek })),
  ]
  const bytes = [...key.subarray(0, 6)]
  for (const text of shown) {
    for (const form of [
      key.toString('base64').slice(0, 8),
      key.toString('hex').slice(0, 8),
      bytes.join(','),
      bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(' '),
    ]) {
      expect(text).not.toContain(form)
    }
  }
})
