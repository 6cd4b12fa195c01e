import { type FormEvent, useState } from 'react'
import type { Passkey, PasskeyResponseRequest } from '../../../../schemas/generated.js'
import type { Credential } from '../../api/client.js'
import { isObject } from '../../api/problem.js'
import { Button } from '../../components/button.js'
import { Copyable } from '../../components/copyable.js'
import { Failure } from '../../components/failure.js'
import { TextField } from '../../components/field.js'
import { formatExactTime } from '../../format/time.js'
import { useAnswerPasskey, useConfirmPasskey } from '../../hooks/use-instance.js'
import { useLanguage, useWords } from '../../words/index.js'
import styles from './pairing.module.css'

interface PasskeyStepProps {
  readonly id: string
  readonly credential: Credential | undefined
  readonly step: Passkey
}

/** The step for which WhatsApp asks for a passkey. This page cannot sign the challenge: browsers bind the passkey to whatsapp.com. */
export function PasskeyStep({ id, credential, step }: PasskeyStepProps) {
  const words = useWords()
  const language = useLanguage()
  const confirm = useConfirmPasskey(id, credential)
  return (
    <div className={styles.panel}>
      <h3>{words.passkey.title}</h3>
      {step.expires === null ? null : <p>{words.passkey.until(formatExactTime(new Date(step.expires), language))}</p>}
      {step.state === 'needs_passkey' ? <Challenge id={id} credential={credential} step={step} /> : null}
      {step.state === 'passkey_code' ? (
        <div className={styles.form} role="status">
          <p>{words.passkey.compare}</p>
          <p className={styles.code}>{step.code}</p>
          <Button look="main" isBusy={confirm.isPending} onClick={() => confirm.mutate()}>
            {words.passkey.same}
          </Button>
          {confirm.error === null ? null : <Failure error={confirm.error} />}
        </div>
      ) : null}
      {step.state === 'passkey_sent' || step.state === 'confirming' ? <p role="status">{words.passkey.wait}</p> : null}
    </div>
  )
}

function Challenge({ id, credential, step }: PasskeyStepProps) {
  const words = useWords()
  const answer = useAnswerPasskey(id, credential)
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const signed = parseResponse(text)
    setWrong(signed === undefined)
    if (signed !== undefined && !answer.isPending) answer.mutate(signed)
  }
  return (
    <>
      <p>{words.passkey.foreign}</p>
      <h4>{words.passkey.challenge}</h4>
      <Copyable text={JSON.stringify(step.publicKey)} copy={words.copy} copied={words.copied} />
      <form className={styles.form} onSubmit={submit}>
        <TextField
          label={words.passkey.answer}
          wrong={isWrong ? words.passkey.notJson : undefined}
          rows={4}
          spellCheck={false}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Button type="submit" look="main" isBusy={answer.isPending}>
          {words.passkey.send}
        </Button>
        {answer.error === null ? null : <Failure error={answer.error} />}
      </form>
    </>
  )
}

/** Returns undefined if the text is not a signed challenge. The gateway checks its fields. */
function parseResponse(text: string): PasskeyResponseRequest | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) && 'response' in value ? (value as unknown as PasskeyResponseRequest) : undefined
  } catch {
    return undefined
  }
}
