import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseInstallLine } from '@/lib/service/machines/debian/install/line'

test('a line of the event file is read field by field', () => {
  expect(parseInstallLine('1795261000\tPackages\t42\trunning\tUnpacking apache2 (2.4.71-1~deb12u1) ...\t', 7)).toEqual({
    line: 7,
    step: 'Packages',
    progress: 42,
    status: 'running',
    message: 'Unpacking apache2 (2.4.71-1~deb12u1) ...',
  })
  expect(parseInstallLine('1795261000\tMail\t85\tfailed\tThe step failed.\tThe step failed.', 8)).toMatchObject({
    status: 'failed',
    error: 'The step failed.',
  })
})

test('a line truncated by a power cut counts as a line of a running install (55)', () => {
  const known = fc.constantFrom('1795261000\tPackages\t42\tdone\tFine\t', '', '\t\t\t', '\t\t-5\t', '1\tx\t999\trunning')
  const anything = fc.oneof(known, fc.string({ unit: 'binary', maxLength: 3_000 }))
  fc.assert(
    fc.property(anything, fc.nat(), (text, number) => {
      const line = parseInstallLine(text, number)
      expect(line.line).toBe(number)
      expect(line.progress).toBeGreaterThanOrEqual(0)
      expect(line.progress).toBeLessThanOrEqual(100)
      expect(line.message.length).toBeLessThanOrEqual(500)
      expect(`${line.step}${line.message}${line.error ?? ''}`).not.toMatch(/\p{C}/u)
    }),
  )
})
