/** Tries to sign in, with the log on standard output as a portal writes it. argv[2]: a JSON list of { email, password, peer }. */
import { openRing } from '@/lib/portal/custody/ring'
import { signInWithPassword } from '@/lib/portal/identity/sign-in'

type Try = { email: string; password: string; peer: string }

const tries: Try[] = JSON.parse(process.argv[2] ?? '[]')
await openRing()
for (const { email, password, peer } of tries) await signInWithPassword({ email, password }, { peer, userAgent: 'a browser' })
process.exit(0)
