import { useId } from 'react'
import type { Credential } from '../../api/client.js'
import { Button } from '../../components/button.js'
import { Copyable } from '../../components/copyable.js'
import { Failure } from '../../components/failure.js'
import { Card } from '../../components/notice.js'
import { useMakePairingLink } from '../../hooks/use-pairing-link.js'
import { useWords } from '../../words/index.js'
import { usePairingLinkWords } from '../../words/pairing-link/index.js'

/** Makes a link for the person with the phone, who sees the code and nothing else. */
export function LinkToPair({ credential }: { readonly credential: Credential | undefined }) {
  const words = useWords()
  const { make, makeTitle, makeHelp } = usePairingLinkWords()
  const titleId = useId()
  const link = useMakePairingLink(credential)
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{makeTitle}</h2>
      <p>{makeHelp}</p>
      {link.data === undefined ? (
        <Button isBusy={link.isPending} onClick={() => link.mutate()}>
          {make}
        </Button>
      ) : (
        <Copyable text={link.data} copy={words.copy} copied={words.copied} />
      )}
      {link.error === null ? null : <Failure error={link.error} />}
    </Card>
  )
}
