/** What each change that can be taken back leaves behind for it. */
import 'server-only'
import * as z from 'zod'

const text = z.string()

const job = z.object({ user: text, minute: text, hour: text, dom: text, mon: text, dow: text, command: text })
const words = z.object({ action: text, protocol: text, port: text, from: text })
const rule = words.extend({ v6: text })

/** Sealed as JSON. Ids of the service are left out: they may be no more than places. */
export const inverse = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('cron.putBack'), job }),
  z.object({ kind: z.literal('cron.takeOut'), job }),
  /** next came in the place of old. */
  z.object({ kind: z.literal('cron.swap'), old: job, next: job }),
  /** rules: one, or its halves, IPv4 first. before: all there were, in their order. */
  z.object({ kind: z.literal('firewall.putBack'), rules: z.array(rule).min(1).max(2), before: z.array(rule) }),
  /** before: those that said the same already, and therefore stay. */
  z.object({ kind: z.literal('firewall.takeOut'), words, before: z.array(rule) }),
  /** on: what it was before. */
  z.object({ kind: z.literal('firewall.switch'), on: z.boolean() }),
])

export type Inverse = z.infer<typeof inverse>

export type InverseOf<Kind extends Inverse['kind']> = Extract<Inverse, { kind: Kind }>

export type KeptJob = z.infer<typeof job>
export type KeptRule = z.infer<typeof rule>
