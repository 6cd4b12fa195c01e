import { useState } from 'react'
import { Problem } from '../api/problem.js'
import { Failure } from '../components/failure.js'
import { Notice } from '../components/notice.js'
import { LanguageChoice } from '../components/shell.js'
import shell from '../components/shell.module.css'
import { useKeptFocus } from '../components/use-kept-focus.js'
import { Pairing } from '../features/pairing/pairing.js'
import { formatExactTime } from '../format/time.js'
import { showUnseen } from '../format/visible.js'
import { useConnectionEvents, useStatus } from '../hooks/use-instance.js'
import { forgetPairing, type PairingPass } from '../hooks/use-pairing-link.js'
import { useStream } from '../hooks/use-stream.js'
import { useLanguage, useWords } from '../words/index.js'
import { usePairingLinkWords } from '../words/pairing-link/index.js'

/** Page for the person with the phone, without the rest of the console. */
export function PairPage({ pass }: { readonly pass: PairingPass | 'ended' }) {
  const words = useWords()
  useKeptFocus()
  return (
    <>
      <header className={shell.bar}>
        <span className={shell.brand}>{words.product}</span>
        <LanguageChoice />
      </header>
      <main id="main" tabIndex={-1} className={shell.main}>
        {pass === 'ended' ? <Ended /> : <Opened pass={pass} />}
      </main>
    </>
  )
}

function Ended() {
  const { ended } = usePairingLinkWords()
  return <Notice>{ended}</Notice>
}

function Opened({ pass: { id, name, credential, ends } }: { readonly pass: PairingPass }) {
  const words = useWords()
  const own = usePairingLinkWords()
  const language = useLanguage()
  const [isRefused, setRefused] = useState(false)
  const { data: told, error, refetch } = useStatus(id, credential)
  const onConnection = useConnectionEvents(id)
  const end = () => {
    forgetPairing()
    setRefused(true)
  }
  useStream(isRefused ? undefined : credential, 'connection', {
    onOpen: () => void refetch(),
    onEvent: onConnection,
    onRefused: end,
  })
  if (isRefused || (error instanceof Problem && error.status === 401)) return <Ended />
  if (told === undefined)
    return error === null ? (
      <p role="status">{words.loading}</p>
    ) : (
      <Failure error={error} onRetry={() => void refetch()} />
    )
  const { instance, status } = told
  const who = [showUnseen(instance.profileName ?? ''), instance.owner === '' ? '' : `+${instance.owner}`]
  return (
    <>
      <h1>
        <bdi>{own.title(showUnseen(name))}</bdi>
      </h1>
      <p>{own.help}</p>
      {status.loggedIn ? (
        <Notice>
          <p role="status">
            <bdi>{words.instance.connectedAs(who.filter(Boolean).join(', '))}</bdi>
          </p>
          <p>{own.done}</p>
        </Notice>
      ) : (
        <>
          <p>{own.until(formatExactTime(new Date(ends), language))}</p>
          <Pairing id={id} credential={credential} instance={instance} qrEndsAt={status.qrEndsAt} />
        </>
      )}
    </>
  )
}
