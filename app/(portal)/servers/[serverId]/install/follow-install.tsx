import { Notice } from '@/app/_ui/notice'
import { AskInstall } from './ask-install'
import { InstallButton } from './install-button'

type FollowInstallProps = { serverId: string; attaches: boolean; may: boolean }

/** A running install that no job of the portal follows. */
export function FollowInstall({ serverId, attaches, may }: FollowInstallProps) {
  return (
    <Notice
      tone="info"
      title="This server is being installed."
      action={
        attaches ? (
          <InstallButton serverId={serverId} label="Follow" may={may} />
        ) : (
          <AskInstall
            serverId={serverId}
            label="Follow"
            may={may}
            title="Follow this install?"
            description="Gatehouse can only follow an install of this service by sending the install request. The service may show the running install, or start a second one."
          />
        )
      }
    >
      The install was started outside Gatehouse.
    </Notice>
  )
}
