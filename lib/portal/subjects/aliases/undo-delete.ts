/** Undoes the deletion of an alias. */
import 'server-only'
import * as z from 'zod'
import { aliases } from '@/lib/contract/operations/aliases'
import { isSameDomain } from '@/lib/text/ascii-domain'
import { toReadableDomain } from '@/lib/text/idn'
import { tooLate } from '../revert/run-inverse'
import { runOperation } from '../spine'
import { type Kept, kept, undoKind } from '../undoable/kind'

/** Adds a deleted alias again, as a job, unless the site has it. */
export const undoAliasDelete = undoKind({
  name: 'aliases.addAgain',
  schema: z.object({ alias: z.string() }),
  summary: 'Adds the alias again.',
  plain: true,
  needs: aliases.save,
  page: ({ id }) => ({ href: `/sites/${id}/aliases`, label: 'Aliases' }),
  async revert(actor, { target, startSlow, requestId, undoes }, { alias }) {
    const listed = await runOperation(actor, aliases.list, target)
    if (!listed.ok) return listed
    if (listed.data.item[0].aliases.some(({ domain }) => isSameDomain(domain, alias)))
      return tooLate('The site has this alias, so there is nothing to undo.')
    const started = await startSlow(actor, aliases.save, target, { alias }, { requestId, undoes })
    return started.ok ? { ok: true, data: { ...started.data, message: `${toReadableDomain(alias)} was added again.` } } : started
  },
})

export const keptAlias = (alias: string): Kept => kept(undoAliasDelete, { alias })
