/** A software authenticator for tests: P-256 keys, "none" attestation, and every value that a test may want to falsify. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

type Asked = { challenge: string }
type Falsified = { origin?: string; rpId?: string; verified?: boolean; counter?: number; userHandle?: string }

const site = { origin: 'http://localhost:3000', rpId: 'localhost' }
const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
const text = (data: Uint8Array) => Buffer.from(data).toString('base64url')

/** CBOR of a byte string. */
const byteString = (data: Uint8Array) =>
  Buffer.concat([data.length < 256 ? Buffer.from([0x58, data.length]) : Buffer.from([0x59, data.length >> 8, data.length & 255]), data])

/** CBOR of { fmt: "none", attStmt: {}, authData: … } up to the last value. */
const beforeAuthData = Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex')

/** present: bit 0. verified: bit 2. with a credential: bit 6. */
const authData = ({ rpId = site.rpId, verified = true, counter = 0 }: Falsified, credential = Buffer.alloc(0)) => {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  const flags = 1 | (verified ? 4 : 0) | (credential.length > 0 ? 64 : 0)
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, credential])
}

const clientData = (type: string, { challenge }: Asked, { origin = site.origin }: Falsified) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

export type SoftPasskey = {
  id: string
  create: (asked: Asked, falsified?: Falsified) => string
  use: (asked: Asked, falsified?: Falsified) => string
}

export function softPasskey(userId: string, id = randomBytes(16)): SoftPasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose])
  const named = { id: text(id), rawId: text(id), type: 'public-key' }
  return {
    id: text(id),
    create: (asked, falsified = {}) => {
      const attestationObject = text(Buffer.concat([beforeAuthData, byteString(authData(falsified, credential))]))
      const response = {
        clientDataJSON: text(clientData('webauthn.create', asked, falsified)),
        attestationObject,
        transports: ['internal'],
      }
      return JSON.stringify({ ...named, response, clientExtensionResults: {} })
    },
    use: (asked, falsified = {}) => {
      const [data, client] = [authData(falsified), clientData('webauthn.get', asked, falsified)]
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      const userHandle = falsified.userHandle ?? text(Buffer.from(userId))
      const response = { authenticatorData: text(data), clientDataJSON: text(client), signature: text(signature), userHandle }
      return JSON.stringify({ ...named, response, clientExtensionResults: {} })
    },
  }
}
