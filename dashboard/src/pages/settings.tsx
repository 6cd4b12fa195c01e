import { readSession } from '../api/session.js'
import { Notice } from '../components/notice.js'
import { PageHeader } from '../components/page-header.js'
import { DangerZone } from '../features/settings/danger-zone.js'
import { Delays } from '../features/settings/delays.js'
import { FieldNames } from '../features/settings/field-names.js'
import { Calls, DefaultCountry, Name, Notes } from '../features/settings/general.js'
import { Limits } from '../features/settings/limits.js'
import { Placement } from '../features/settings/placement.js'
import { ProxySettings } from '../features/settings/proxy.js'
import { Queue } from '../features/settings/queue.js'
import { Token } from '../features/settings/token.js'
import { mayConnect } from '../hooks/use-instance.js'
import { useThisInstance } from '../hooks/use-this-instance.js'
import { useWords } from '../words/index.js'
import { useSettingsWords } from '../words/settings/index.js'

/** Settings of an instance that have no page of their own. Keys may change none of them. */
export function Settings() {
  const words = useWords()
  const own = useSettingsWords()
  const { told, id } = useThisInstance()
  const isAdmin = readSession()?.kind === 'admin'
  if (!mayConnect()) return <Notice>{own.needsToken}</Notice>
  return (
    <>
      <PageHeader title={words.pages.settings} about={words.abouts.settings} />
      <Name instance={told.instance} />
      <DefaultCountry instance={told.instance} />
      {isAdmin ? <Notes instance={told.instance} /> : null}
      <FieldNames instance={told.instance} />
      <Delays instance={told.instance} />
      <Queue />
      <Limits />
      <ProxySettings />
      <Calls />
      {isAdmin ? <Placement id={id} /> : null}
      <Token />
      <DangerZone instance={told.instance} isPaired={told.status.loggedIn} />
    </>
  )
}
