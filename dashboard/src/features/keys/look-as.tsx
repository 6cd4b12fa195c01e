import type { KeyRecord } from '../../../../schemas/generated.js'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { Failure } from '../../components/failure.js'
import { showUnseen } from '../../format/visible.js'
import { useLookAs } from '../../hooks/use-look-as.js'
import { useKeysWords } from '../../words/keys/index.js'
import styles from './keys.module.css'

interface LookAsProps {
  readonly keyRecord: KeyRecord
  readonly onClose: () => void
}

/** Opens the dashboard with the rights of a key, in another tab: the gateway decides there, as it does for the key. */
export function LookAs({ keyRecord, onClose }: LookAsProps) {
  const words = useKeysWords()
  const look = useLookAs()
  return (
    <Dialog isOpen onClose={onClose} title={words.lookAsOf(showUnseen(keyRecord.name))}>
      <p>{words.lookHelp}</p>
      {look.error === null ? null : <Failure error={look.error} />}
      <div className={styles.row}>
        {look.data === undefined ? (
          <Button look="main" isBusy={look.isPending} onClick={() => look.mutate(keyRecord)}>
            {words.lookLink}
          </Button>
        ) : (
          <a href={look.data} target="_blank" rel="noopener noreferrer" onClick={onClose}>
            {words.lookOpen}
          </a>
        )}
      </div>
    </Dialog>
  )
}
