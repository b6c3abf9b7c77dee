/** What an operation needs of a right. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import type { Need } from './grant'

export const needOf = ({ id, subject, effect, root }: Operation): Need => ({ id, subject, effect, root: root === true })
