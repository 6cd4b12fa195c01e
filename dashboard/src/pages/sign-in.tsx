import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { dashboardPath } from '../api/places.js'
import { Problem } from '../api/problem.js'
import { readSignInReason } from '../api/session.js'
import { Button } from '../components/button.js'
import { Failure } from '../components/failure.js'
import { InputField } from '../components/field.js'
import { Card, Notice } from '../components/notice.js'
import { type TypedToken, useSignIn } from '../hooks/use-sign-in.js'
import { useWords } from '../words/index.js'
import styles from './sign-in.module.css'

const KINDS = ['admin', 'instance'] as const

/** Exchanges a token for a pass. The field is emptied and the token forgotten as soon as the gateway has answered. */
export function SignIn() {
  const words = useWords()
  const router = useRouter()
  const navigate = useNavigate()
  const { back } = useSearch({ from: '/sign-in' })
  const signIn = useSignIn()
  const [kind, setKind] = useState<TypedToken['kind']>('admin')
  const [token, setToken] = useState('')
  const [isShown, setShown] = useState(false)
  const [isEmpty, setEmpty] = useState(false)
  const isRefused = signIn.error instanceof Problem && signIn.error.status === 401
  const { admin, instance } = words.signIn
  const reason = readSignInReason()
  const names = { admin, instance }

  function submit(event: FormEvent): void {
    event.preventDefault()
    setEmpty(token.trim() === '')
    if (token.trim() === '') return
    signIn.mutate(
      { kind, token },
      {
        onSuccess: () => {
          setToken('')
          signIn.reset()
          if (back === undefined) void navigate({ to: '/', replace: true })
          // The router knows the place without the path of the dashboard, and the address has it.
          else router.history.replace(dashboardPath.replace(/\/$/, '') + back)
        },
      },
    )
  }

  return (
    <div className={styles.page}>
      <h1>{words.signIn.title}</h1>
      {reason === null ? null : <Notice>{reason === 'ended' ? words.signIn.ended : words.signIn.link}</Notice>}
      <Card>
        <form className={styles.form} onSubmit={submit}>
          <fieldset className={styles.kinds}>
            <legend>{words.signIn.as}</legend>
            {KINDS.map((one) => (
              <label key={one}>
                <input type="radio" name="kind" value={one} checked={kind === one} onChange={() => setKind(one)} />
                {names[one]}
              </label>
            ))}
          </fieldset>
          <InputField
            label={words.signIn.token}
            help={words.signIn.tokenHelp}
            wrong={isEmpty ? words.signIn.empty : isRefused ? words.signIn.refused : undefined}
            type={isShown ? 'text' : 'password'}
            name="token"
            autoComplete="current-password"
            spellCheck={false}
            value={token}
            maxLength={1_000}
            onChange={({ target }) => setToken(target.value)}
          />
          <div className={styles.actions}>
            <Button type="submit" look="main" isBusy={signIn.isPending}>
              {words.signIn.submit}
            </Button>
            <Button aria-pressed={isShown} onClick={() => setShown(!isShown)}>
              {isShown ? words.signIn.hide : words.signIn.show}
            </Button>
          </div>
          {signIn.error !== null && !isRefused ? <Failure error={signIn.error} /> : null}
        </form>
      </Card>
      <p>{words.signIn.where}</p>
    </div>
  )
}
