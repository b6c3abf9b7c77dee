'use client'

import type { ChangeEvent } from 'react'
import { ActionForm } from '@/app/_shared/forms/action-form'
import type { AnyRead } from '@/app/_shared/reads/read-address'
import { showDone } from '@/app/_shared/undo/undoable'
import { Dialog, FormButtons } from '@/app/_ui/dialog'
import { Field } from '@/app/_ui/field'
import { TextArea } from '@/app/_ui/input'
import { sftpKey } from '@/lib/contract/fields'
import { limitRefusal } from '@/lib/contract/limits'
import { saveSftpKey } from '../actions'

type AddSftpKeyProps = { siteId: string; user: string; refetch: readonly AnyRead[]; onClose: () => void }

/** Adds a public key. A private one is refused before it is sent. */
export function AddSftpKey({ siteId, user, refetch, onClose }: AddSftpKeyProps) {
  const finish = (undo: string | null) => {
    onClose()
    showDone('The key was added.', undo, { refetch })
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Add SFTP key"
      description={
        <p className="wrap-anywhere">
          The holder of the private key signs in as <strong className="font-semibold text-ink">{user}</strong>, by SFTP only.
        </p>
      }
    >
      <ActionForm action={saveSftpKey} refetch={refetch} onDone={({ undo }) => finish(undo)} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            <input type="hidden" name="siteId" value={siteId} />
            <Field name="key" label="Public key" hint="One line, as in a file that ends in .pub: ED25519, ECDSA, or RSA from 2048 bits.">
              {(control) => (
                <TextArea
                  {...control}
                  required
                  rows={4}
                  autoComplete="off"
                  autoCapitalize="off"
                  spellCheck={false}
                  placeholder="ssh-ed25519 AAAA… you@laptop"
                  onChange={refusePrivateKey}
                />
              )}
            </Field>
            <FormButtons label="Add key" busy="Adding…" pending={pending} onCancel={onClose} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

function refusePrivateKey({ currentTarget }: ChangeEvent<HTMLTextAreaElement>): void {
  currentTarget.setCustomValidity(limitRefusal(sftpKey, sftpKey.read(currentTarget.value)) ?? '')
}
