/** What DNS says about mail of a site, for the pages that show it: looked up in the background, and shared. */
import { setTimeout as pause } from 'node:timers/promises'
import type { MailFindings } from '../mail-records'
import type { MachineRow } from '../store/machines'
import type { Service } from './call'

/** How long the first look-up of a site may hold its page up. */
const patienceMs = 4000
const unanswered: MailFindings = { servers: null, txt: null, key: null, policy: null, names: null }

type LookedUp = { id: string; domain: string; machine: MachineRow }

export const readMailFindings = ({ mailChecks, lookUpMail }: Service, { id, domain, machine }: LookedUp): Promise<MailFindings> =>
  Promise.race([mailChecks.read(id, () => lookUpMail(machine, domain)), pause(patienceMs, unanswered, { ref: false })])
