import { Lost } from './_shared/lost'
import { ButtonLink } from './_ui/button'

export default function NotFound() {
  return (
    <main className="mx-auto w-fit">
      <title>Not found · Gatehouse</title>
      <Lost
        title="There is nothing here"
        says={<p>The address is wrong, or what it led to is gone.</p>}
        action={
          <ButtonLink href="/servers" look="primary">
            Go to the servers
          </ButtonLink>
        }
      />
    </main>
  )
}
