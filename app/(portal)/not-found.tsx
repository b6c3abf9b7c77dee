import { Lost } from '../_shared/lost'
import { ButtonLink } from '../_ui/button'

export default function NotFound() {
  return (
    <Lost
      title="There is nothing here"
      says={<p>It is gone, or belongs to a team you are not signed in to.</p>}
      action={
        <ButtonLink href="/servers" look="primary">
          Go to the servers
        </ButtonLink>
      }
    />
  )
}
