'use client'

import { useRouter } from 'next/navigation'
import { StartButton } from '@/app/_shared/forms/start-button'
import { confirmNewEmail } from './actions'

export function ConfirmEmail({ token }: { token: string }) {
  const router = useRouter()
  return (
    <StartButton
      action={confirmNewEmail}
      target={{ token }}
      label="Use this address"
      message={({ email }) => `Your address is now ${email}.`}
      onDone={() => router.push('/account')}
    />
  )
}
