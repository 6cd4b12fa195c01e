import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import type { Instance } from '../../../../schemas/generated.js'
import type { Credential } from '../../api/client.js'
import { isDemo } from '../../api/places.js'
import { Problem } from '../../api/problem.js'
import { Button } from '../../components/button.js'
import { Failure } from '../../components/failure.js'
import { InputField } from '../../components/field.js'
import { makeLate } from '../../components/late.js'
import { Card, Notice } from '../../components/notice.js'
import { Tabs } from '../../components/tabs.js'
import { useConnect, usePasskey } from '../../hooks/use-instance.js'
import type { Words } from '../../words/en.js'
import { useWords } from '../../words/index.js'
import styles from './pairing.module.css'
import { PasskeyStep } from './passkey-step.js'
import { useQrLife } from './use-qr-life.js'

interface PairingProps {
  readonly id: string
  readonly credential: Credential | undefined
  readonly instance: Instance
  /** Time at which another QR replaces this one. */
  readonly qrEndsAt: string | null
}

/** Pairs an instance with a phone: by QR, or by a code for its number; with the passkey step where WhatsApp asks for it. */
export function Pairing({ id, credential, instance, qrEndsAt }: PairingProps) {
  const words = useWords()
  const titleId = useId()
  const [since, setSince] = useState('')
  const connect = useConnect(id, credential, since)
  const passkey = usePasskey(id, credential, instance.status === 'connecting')
  const { paircode = '', status } = instance
  const isPairing = status === 'connecting'
  const wasPairing = useWasTrue(isPairing)
  const step = passkey.data?.passkey
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.pair.title}</h2>
      {step !== undefined && step.state !== 'none' && isPairing ? (
        <PasskeyStep id={id} credential={credential} step={step} />
      ) : (
        <Tabs
          label={words.pair.method}
          first={paircode === '' ? 'qr' : 'code'}
          tabs={[
            {
              value: 'qr',
              word: words.pair.byQr,
              panel: <ByQr instance={instance} qrEndsAt={qrEndsAt} hasEnded={wasPairing} connect={connect} />,
            },
            { value: 'code', word: words.pair.byCode, panel: <ByCode paircode={paircode} connect={connect} /> },
          ]}
        >
          <InputField
            label={words.pair.inUseSince}
            help={words.pair.inUseSinceHelp}
            type="date"
            max={new Date().toISOString().slice(0, 10)}
            value={since}
            onChange={({ target }) => setSince(target.value)}
          />
          {wasPairing && !isPairing && !connect.isPending ? <Notice look="busy">{words.pair.ended}</Notice> : null}
        </Tabs>
      )}
    </Card>
  )
}

interface ByQrProps {
  readonly instance: Instance
  readonly qrEndsAt: string | null
  readonly hasEnded: boolean
  readonly connect: ReturnType<typeof useConnect>
}

function ByQr({ instance, qrEndsAt, hasEnded, connect }: ByQrProps) {
  const words = useWords()
  // The gateway draws one code in more than one way: the text tells codes apart, and the first picture of a code stays.
  const { qrcode = '', qrcodeText = '', status, currentTime } = instance
  const drawn = useRef({ qrcode, qrcodeText })
  if (drawn.current.qrcodeText !== qrcodeText || drawn.current.qrcode === '') drawn.current = { qrcode, qrcodeText }
  const isPairing = status === 'connecting'
  const life = useQrLife(qrEndsAt, currentTime)
  const isWaiting = connect.isPending || (isPairing && connect.isSuccess)
  return (
    <>
      {connect.error === null ? null : <Failure error={connect.error} />}
      {qrcode === '' ? (
        <div className={styles.form}>
          {isWaiting ? (
            <p role="status">{words.pair.preparing}</p>
          ) : (
            <Button look="main" onClick={() => connect.mutate(undefined)}>
              {hasEnded && !isPairing ? words.pair.again : words.pair.start}
            </Button>
          )}
        </div>
      ) : (
        <div className={styles.columns}>
          <Steps lines={words.pair.steps} />
          <div className={styles.qr}>
            <div className={styles.picture}>
              <img src={drawn.current.qrcode} alt={words.pair.alt} width="288" height="288" />
            </div>
            {life === undefined ? (
              <p className={styles.left}>{words.pair.renews}</p>
            ) : (
              <p className={styles.left}>
                <Ring part={life.left / life.all} />
                {words.pair.seconds(life.left)}
              </p>
            )}
            <Renewed code={qrcodeText} />
            {isDemo() ? <ScanWithPhone qr={qrcodeText} /> : null}
          </div>
        </div>
      )}
    </>
  )
}

/** Tells screen readers that the code was replaced, and not each second. */
function Renewed({ code }: { readonly code: string }) {
  const words = useWords()
  const first = useRef(code)
  return (
    <p className="sr-only" role="status">
      {first.current === code ? '' : words.pair.renewed}
    </p>
  )
}

const ScanWithPhone = makeLate(async () => (await import('../demo/scan-with-phone.js')).ScanWithPhone)

const RADIUS = 10
const LENGTH = 2 * Math.PI * RADIUS

function Ring({ part }: { readonly part: number }) {
  return (
    <svg className={styles.ring} viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r={RADIUS} strokeDasharray={LENGTH} strokeDashoffset={LENGTH * (1 - part)} />
    </svg>
  )
}

function ByCode({ paircode, connect }: { readonly paircode: string; readonly connect: ReturnType<typeof useConnect> }) {
  const words = useWords()
  const [phone, setPhone] = useState('')
  const { error } = connect
  const wrong = error instanceof Problem ? (error.fields.phone ?? describeCountryHint(error, phone, words)) : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!connect.isPending) connect.mutate(phone)
  }
  return (
    <>
      {paircode === '' ? null : (
        <div className={styles.columns}>
          <Steps lines={words.pair.codeSteps} />
          <div className={styles.qr} role="status">
            <p>{words.pair.code}</p>
            <p className={styles.code} aria-hidden="true">
              {groupCode(paircode)}
            </p>
            <p className="sr-only">{words.pair.spelled([...paircode.replace(/\W/g, '')].join(' '))}</p>
          </div>
          {isDemo() ? <ScanWithPhone qr="" code={paircode} /> : null}
        </div>
      )}
      <form className={styles.form} onSubmit={submit}>
        <InputField
          label={words.pair.phone}
          help={words.pair.phoneExample}
          wrong={wrong}
          type="tel"
          required
          maxLength={40}
          autoComplete="off"
          value={phone}
          onChange={({ target }) => setPhone(target.value)}
        />
        <Button type="submit" look="main" isBusy={connect.isPending}>
          {words.pair.getCode}
        </Button>
        {connect.error !== null && wrong === undefined ? <Failure error={connect.error} /> : null}
      </form>
    </>
  )
}

/** WhatsApp refuses a number without its country like any other: the number is what to look at first. */
function describeCountryHint({ code }: Problem, phone: string, words: Words): string | undefined {
  const isNational = !/^\s*(\+|00)/.test(phone) && phone.replace(/\D/g, '').length <= NATIONAL_MAX
  return code === 'PAIRING_FAILED' && isNational ? words.pair.noCountry : undefined
}

/** Digits that a number without its country code has at most. */
const NATIONAL_MAX = 11

function Steps({ lines }: { readonly lines: readonly string[] }) {
  return (
    <ol className={styles.steps}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ol>
  )
}

function groupCode(code: string): string {
  return (code.replace(/\W/g, '').match(/.{1,4}/g) ?? []).join('-')
}

/** Returns true from when the value was true once. */
function useWasTrue(value: boolean): boolean {
  const [was, setWas] = useState(value)
  useEffect(() => {
    if (value) setWas(true)
  }, [value])
  return was
}
