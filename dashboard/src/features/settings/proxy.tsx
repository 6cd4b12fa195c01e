import { useState } from 'react'
import type { InstanceProxy, SetProxyRequest } from '../../../../schemas/generated.js'
import { Problem } from '../../api/problem.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Failure, Original } from '../../components/failure.js'
import { CheckField, InputField, SelectField } from '../../components/field.js'
import { useProxy, useSetProxy } from '../../hooks/use-settings.js'
import { useSettingsWords } from '../../words/settings/index.js'
import { SettingsForm } from './settings-form.js'

/** The proxy of the connection. */
export function ProxySettings() {
  const words = useSettingsWords()
  const { data, error, refetch } = useProxy()
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  return data === undefined ? <p role="status">{words.reading}</p> : <ProxyForm stored={data} />
}

const FALLBACKS = ['never', 'none', 'proxy'] as const

function ProxyForm({ stored }: { readonly stored: InstanceProxy }) {
  const words = useSettingsWords()
  const change = useSetProxy()
  const [mode, setMode] = useState(stored.mode)
  const [url, setUrl] = useState(stored.proxy_url)
  const [fallback, setFallback] = useState<(typeof FALLBACKS)[number]>(
    stored.proxy_fallback === 'none' || stored.proxy_fallback === 'never' ? stored.proxy_fallback : 'proxy',
  )
  const [fallbackUrl, setFallbackUrl] = useState(fallback === 'proxy' ? stored.proxy_fallback : '')
  const [isConfirmed, setConfirmed] = useState(false)
  const isWithout = mode === 'none' || fallback === 'none'
  const wrong = change.error instanceof Problem ? change.error.fields : {}
  const confirmed = isWithout ? { confirm_no_proxy: isConfirmed } : {}
  const body: SetProxyRequest =
    mode === 'none'
      ? { mode, ...confirmed }
      : { mode, proxy_url: url, proxy_fallback: fallback === 'proxy' ? fallbackUrl : fallback, ...confirmed }
  return (
    <SettingsForm
      title={words.proxy}
      help={words.proxyHelp}
      change={change}
      call={buildShownCall('setProxy', { body: hidePasswords(body) })}
      onSave={() => change.mutate(body)}
    >
      <ProxyState stored={stored} />
      <SelectField
        label={words.proxyMode}
        value={mode}
        onChange={({ target }) => setMode(target.value === 'custom' ? 'custom' : 'none')}
      >
        <option value="none">{words.proxyModes.none}</option>
        <option value="custom">{words.proxyModes.custom}</option>
      </SelectField>
      {mode === 'none' ? null : (
        <>
          <AddressField
            label={words.proxyUrl}
            help={words.proxyUrlHelp}
            wrong={wrong.proxy_url}
            value={url}
            onAddress={setUrl}
          />
          <SelectField
            label={words.proxyFallback}
            value={fallback}
            onChange={({ target }) => setFallback(FALLBACKS.find((one) => one === target.value) ?? 'never')}
          >
            {FALLBACKS.map((one) => (
              <option key={one} value={one}>
                {words.proxyFallbacks[one]}
              </option>
            ))}
          </SelectField>
          {fallback !== 'proxy' ? null : (
            <AddressField
              label={words.proxyFallbackUrl}
              wrong={wrong.proxy_fallback}
              value={fallbackUrl}
              onAddress={setFallbackUrl}
            />
          )}
        </>
      )}
      {isWithout ? (
        <CheckField
          label={words.proxyConfirm}
          checked={isConfirmed}
          onChange={({ target }) => setConfirmed(target.checked)}
        />
      ) : null}
    </SettingsForm>
  )
}

/** Shows which proxy the connection uses, and why one could not be used, in the language of the reader; the gateway's sentence is below. */
function ProxyState({ stored: { effective_mode: mode, fallback } }: { readonly stored: InstanceProxy }) {
  const words = useSettingsWords()
  const isOther = fallback.active && mode === 'custom'
  const why = words.proxyFailures[fallback.code] ?? words.proxyFailed
  return (
    <div>
      <p>
        {words.proxyInUse} {isOther ? words.proxyUses.fallback : words.proxyUses[mode]}
      </p>
      {fallback.reason === '' ? null : (
        <>
          <p>{why}</p>
          <Original text={fallback.reason} />
        </>
      )}
    </div>
  )
}

interface AddressFieldProps {
  readonly label: string
  readonly help?: string
  readonly wrong: string | undefined
  readonly value: string
  readonly onAddress: (address: string) => void
}

function AddressField({ onAddress, ...rest }: AddressFieldProps) {
  return (
    <InputField
      {...rest}
      required
      maxLength={3_000}
      autoComplete="off"
      spellCheck={false}
      onChange={({ target }) => onAddress(target.value)}
    />
  )
}

/** Hides what stands between the colon and the `@` of an address, since the line is made to be copied. */
function hidePasswords(body: SetProxyRequest): SetProxyRequest {
  const hidden = (url: string) => url.replace(/(:\/\/[^:@/]*):[^@]*@/, '$1:$PROXY_PASSWORD@')
  return {
    ...body,
    ...(body.proxy_url === undefined ? {} : { proxy_url: hidden(body.proxy_url) }),
    ...(body.proxy_fallback === undefined ? {} : { proxy_fallback: hidden(body.proxy_fallback) }),
  }
}
