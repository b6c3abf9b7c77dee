'use server'

import { deleteListView as remove, saveListView as save, saveListColumns as saveColumns } from '@/lib/portal/identity/list-views'
import { ownAction } from '@/lib/portal/spine/guarded-action'

/** Fields: list, columns (ids separated by spaces; empty for the usual ones). */
export const saveListColumns = ownAction('person.saveListColumns', ({ actor, field }) =>
  saveColumns(actor, { list: field('list'), columns: field('columns') }),
)

/** Fields: list, name, query (the list's address after the `?`). */
export const saveListView = ownAction('person.saveListView', ({ actor, field }) =>
  save(actor, { list: field('list'), name: field('name'), query: field('query') }),
)

/** Fields: list, name. */
export const deleteListView = ownAction('person.deleteListView', ({ actor, field }) =>
  remove(actor, { list: field('list'), name: field('name') }),
)
