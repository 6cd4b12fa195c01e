import { Settings2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { CheckField } from '../../components/field.js'
import { makeLate } from '../../components/late.js'
import layout from '../../components/layout.module.css'
import { changeInboxSetting, type InboxSetting, useInboxSettings } from '../../hooks/inbox-settings.js'
import { askToNotify } from '../../hooks/use-inbox-alerts.js'
import { useInboxWords } from '../../words/inbox.js'
import { IconButton } from './icon-button.js'

const Shortcuts = makeLate(async () => (await import('./shortcuts.js')).Shortcuts)

const NAMES: readonly InboxSetting[] = ['sound', 'desktop', 'title', 'readOnOpen', 'pictures']

/** How the inbox tells of new messages, and what it does by itself. */
export function InboxChoices() {
  const inbox = useInboxWords()
  const settings = useInboxSettings()
  const [isOpen, setOpen] = useState(false)
  const [hasKeys, setKeys] = useState(false)
  const [isRefused, setRefused] = useState(false)
  const change = async (name: InboxSetting, isOn: boolean) => {
    const isAllowed = name !== 'desktop' || !isOn || (await askToNotify())
    setRefused(!isAllowed)
    if (isAllowed) changeInboxSetting(name, isOn)
  }
  return (
    <>
      <IconButton label={inbox.settings} hasPopup="dialog" onClick={() => setOpen(true)}>
        <Settings2 size={20} />
      </IconButton>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={inbox.settings}>
        <div className={layout.form}>
          {NAMES.map((name) => (
            <CheckField
              key={name}
              label={inbox.settingNames[name]}
              checked={settings[name]}
              onChange={({ target }) => void change(name, target.checked)}
            />
          ))}
          {isRefused ? <p role="alert">{inbox.notAllowed}</p> : null}
          <p className={layout.muted}>{inbox.settingsHelp}</p>
          <div>
            <Button aria-haspopup="dialog" onClick={() => setKeys(true)}>
              {inbox.shortcuts}
            </Button>
          </div>
        </div>
        {hasKeys ? <Shortcuts onClose={() => setKeys(false)} /> : null}
      </Dialog>
    </>
  )
}
