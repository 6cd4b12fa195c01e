import type { Credential } from '../../api/client.js'
import { useChatPicture } from '../../hooks/use-chat-picture.js'
import styles from './portrait.module.css'

interface PortraitProps {
  readonly id: string
  readonly credential: Credential | undefined
  /** Left out: the own account. */
  readonly number?: string
  /** Width in pixels. */
  readonly size?: number
}

/** Round picture of a person or group beside its name. Nothing is drawn while there is none. */
export function Portrait({ id, credential, number, size = 40 }: PortraitProps) {
  const url = useChatPicture(id, credential, number)
  return url === undefined ? null : <img className={styles.portrait} src={url} alt="" width={size} height={size} />
}
