/** Rates from what a server counts at two moments. */
import { expect, test } from 'vitest'
import { isOffered } from '@/app/_shared/reads/read'
import { momentOf, type Vitals, withMoment } from '@/app/(portal)/servers/[serverId]/vitals-board'
import { type ProblemCode, problem } from '@/lib/contract/problem'

const at = 1_795_000_000_000_000

const counted = (more: Partial<Vitals> = {}): Vitals => ({
  at: String(at),
  cpu_busy: '1000',
  cpu_all: '9000',
  cores: '2',
  load: ['0.42', '0.31', '0.28'],
  mem_free: '1',
  mem_total: '2',
  disk_space: '1',
  disk_total: '2',
  net_in: '500000',
  net_out: '900000',
  ...more,
})

const later = (more: Partial<Vitals> = {}) =>
  counted({ at: String(at + 5_000_000), cpu_busy: '1250', cpu_all: '10000', net_in: '510000', ...more })

test('rates follow from two answers; the first one has none', () => {
  expect(momentOf(null, counted())).toEqual({ at: at / 1000, cpu: null, load: 0.42, netIn: null, netOut: null })
  expect(momentOf(counted(), later())).toEqual({ at: at / 1000 + 5000, cpu: 0.25, load: 0.42, netIn: 2000, netOut: 0 })
})

test('after a boot, a long absence or an unknown value there is no rate', () => {
  const without = { cpu: null, netIn: null, netOut: null }
  expect(momentOf(later(), counted({ at: String(at + 9_000_000), net_in: '5', net_out: '6' }))).toMatchObject(without)
  expect(momentOf(counted(), later({ at: String(at + 61_000_000) }))).toMatchObject(without)
  expect(momentOf(counted(), later({ cpu_busy: '', net_in: '', net_out: '', load: [] }))).toMatchObject({ ...without, load: null })
  expect(momentOf(counted(), later({ at: '' })).netIn).toBe(null)
})

test('moments are kept for an hour, and one answer counts once', () => {
  const moment = (minute: number) => ({ at: minute * 60_000, cpu: null, load: null, netIn: null, netOut: null })
  const kept = [moment(0), moment(30)]
  expect(withMoment(kept, moment(30))).toBe(kept)
  expect(withMoment(kept, moment(61)).map((each) => each.at / 60_000)).toEqual([30, 61])
})

test('an operation that the service does not offer is not a failed read', () => {
  const failed = (code: ProblemCode) => isOffered({ ok: false, problem: problem(code) })
  expect([failed('not_found'), failed('not_built'), failed('unreachable'), failed('forbidden')]).toEqual([false, false, true, true])
})
