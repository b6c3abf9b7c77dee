/** What is wrong with a backup target has one sentence, for copies and for proofs. */
import { expect, test } from 'vitest'
import { copyFaults } from '@/lib/service/machines/copy-faults'
import { targetFaults } from '@/lib/service/machines/copy-target'
import { copySentence } from '@/lib/service/machines/debian/host/copy-sentences'
import { readProven } from '@/lib/service/machines/proven-copy'
import { proofOf, refuseTarget } from '@/lib/service/machines/sandbox/copies'

const sftp = (host: string) =>
  ({
    kind: 'sftp',
    host,
    port: '22',
    user: 'copies',
    access: 'sftp',
    hostKey: '',
    privateKey: '',
    folder: '',
    password: '',
    limitKb: '',
  }) as const

test('a changed host key is confirmed by replacing the keys of the target', () => {
  const sentence = copySentence({ code: 'copy-failed', why: 'host-key' })
  expect(sentence).toContain('before you replace the keys')
  expect(readProven('host-key')).toEqual({ verdict: 'unchecked', cause: 'host-key', reason: sentence })
  expect(refuseTarget(sftp('changed-host.example'))).toBe(sentence)
})

test('each fault of a target can be the cause of a proof, and only a bucket that is gone means that a copy is bad', () => {
  const ofTarget = targetFaults.filter((each) => Object.hasOwn(copyFaults, each))
  expect(ofTarget.filter((each) => readProven(each)?.verdict !== 'unchecked')).toEqual(['bucket'])
  expect(targetFaults.map((each) => readProven(each)?.reason)).not.toContain(undefined)
  expect(readProven('toString')).toBeNull()
})

test.each([
  ['full-host.example', 'full'],
  ['changed-host.example', 'host-key'],
  ['unmounted-host.example', 'unmounted'],
  ['host.example', 'good'],
])('a proof of a copy in the sandbox at %s finds: %s', (host, cause) => {
  const site = { id: 'x', name: 'x', domain: 'shop.example' } as Parameters<typeof proofOf>[0]['site']
  expect(proofOf({ kind: 'prove', site, backup: '', copy: { snapshot: '', sha256: '', target: sftp(host) } })).toBe(cause)
})
