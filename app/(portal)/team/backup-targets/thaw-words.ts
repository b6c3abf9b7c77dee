import type { BackupTargetView } from '@/lib/portal/subjects/backup-targets/list'

/** How a frozen target is used again: a folder has no keys that could be replaced. */
export function thawOf({ kind, ownerName, changeRefusal }: Pick<BackupTargetView, 'kind' | 'ownerName' | 'changeRefusal'>): string {
  const item = kind === 'folder' ? 'Use again' : 'Replace keys'
  const unused = kind === 'folder' ? 'Gatehouse no longer uses it.' : 'Gatehouse no longer uses its keys.'
  if (ownerName !== null) return `${unused} Its owner can choose “${item}” in its menu, once they may. You can remove it.`
  return changeRefusal === null
    ? `${unused} To use it again, choose “${item}” in its menu.`
    : `${unused} You can choose “${item}” in its menu once your role allows backup targets of your own.`
}
