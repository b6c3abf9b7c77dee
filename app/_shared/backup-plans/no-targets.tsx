import { ButtonLink } from '@/app/_ui/button'
import { EmptyState } from '@/app/_ui/empty-state'

export const NoTargets = () => (
  <EmptyState title="No backup targets">
    <p>Add storage outside of your servers as a backup target. Gatehouse copies backups there, encrypted.</p>
    <ButtonLink href="/team/backup-targets">Backup targets</ButtonLink>
  </EmptyState>
)
