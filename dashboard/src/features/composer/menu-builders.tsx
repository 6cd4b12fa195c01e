import { menuLimits } from '../../api/limits.js'
import { InputField, SelectField } from '../../components/field.js'
import { useComposerWords } from '../../words/composer/index.js'
import { BuilderRows } from './builder-rows.js'
import { readsAsAction } from './choices.js'
import styles from './composer.module.css'
import {
  type ButtonAction,
  type ButtonDraft,
  makeButton,
  makeOption,
  makeRow,
  makeSection,
  type RowDraft,
} from './draft.js'
import type { BuilderProps } from './message-editor.js'
import { replaceRow } from './rows.js'

const ACTIONS: readonly ButtonAction[] = ['reply', 'url', 'call', 'copy']
/** Maximum of items that a request of the notation can have beside its titles. */
const ROWS_MAX = 100

interface ButtonRowsProps {
  readonly buttons: readonly ButtonDraft[]
  readonly onChange: (buttons: readonly ButtonDraft[]) => void
  readonly max: number
  readonly wrongAt: (index: number) => string | undefined
}

export function ButtonRows({ buttons, onChange, max, wrongAt }: ButtonRowsProps) {
  const composer = useComposerWords()
  return (
    <BuilderRows
      rows={buttons}
      onChange={onChange}
      max={max}
      name={composer.button}
      add={composer.addButton}
      create={makeButton}
      wrongAt={wrongAt}
    >
      {(button, index) => {
        const change = (part: Partial<ButtonDraft>) => onChange(replaceRow(buttons, index, { ...button, ...part }))
        const isWrongId = button.does === 'reply' && readsAsAction(button.value)
        return (
          <div className={styles.columns}>
            <InputField
              label={composer.label}
              required
              maxLength={menuLimits.label}
              help={button.text.length > menuLimits.buttonText ? composer.cutAfter(menuLimits.buttonText) : undefined}
              value={button.text}
              onChange={({ target }) => change({ text: target.value })}
            />
            <SelectField
              label={composer.does}
              value={button.does}
              onChange={({ target }) => change({ does: target.value as ButtonAction })}
            >
              {ACTIONS.map((action) => (
                <option key={action} value={action}>
                  {composer.actions[action]}
                </option>
              ))}
            </SelectField>
            <InputField
              label={composer.values[button.does]}
              required={button.does !== 'reply'}
              maxLength={button.does === 'reply' ? menuLimits.idLength : menuLimits.label}
              help={button.does === 'reply' ? composer.idHelp : undefined}
              wrong={isWrongId ? composer.idReadsAsAction : undefined}
              value={button.value}
              onChange={({ target }) => change({ value: target.value })}
            />
          </div>
        )
      }}
    </BuilderRows>
  )
}

export function ListBuilder({ draft, change, wrong }: BuilderProps) {
  const composer = useComposerWords()
  const { sections } = draft
  return (
    <>
      <InputField
        label={composer.listButton}
        maxLength={menuLimits.listOpener}
        placeholder="Menu"
        wrong={wrong('listButton')}
        value={draft.listButton}
        onChange={({ target }) => change({ listButton: target.value })}
      />
      <BuilderRows
        rows={sections}
        onChange={(next) => change({ sections: next })}
        max={menuLimits.sections}
        name={composer.section}
        add={composer.addSection}
        create={makeSection}
        wrongAt={(index) => wrong(`sections.${index}`)}
      >
        {(section, index) => (
          <>
            <InputField
              label={composer.sectionTitle}
              maxLength={menuLimits.label}
              help={
                section.title.length > menuLimits.sectionTitle ? composer.cutAfter(menuLimits.sectionTitle) : undefined
              }
              value={section.title}
              onChange={({ target }) =>
                change({ sections: replaceRow(sections, index, { ...section, title: target.value }) })
              }
            />
            <BuilderRows
              rows={section.rows}
              onChange={(rows) => change({ sections: replaceRow(sections, index, { ...section, rows }) })}
              max={ROWS_MAX}
              name={composer.row}
              add={composer.addRow}
              create={makeRow}
              wrongAt={(row) => wrong(`sections.${index}.rows.${row}`)}
            >
              {(row, place) => {
                const set = (part: Partial<typeof row>) =>
                  change({
                    sections: replaceRow(sections, index, {
                      ...section,
                      rows: replaceRow(section.rows, place, { ...row, ...part }),
                    }),
                  })
                return <RowFields row={row} set={set} />
              }}
            </BuilderRows>
          </>
        )}
      </BuilderRows>
    </>
  )
}

interface RowFieldsProps {
  readonly row: RowDraft
  readonly set: (part: Partial<RowDraft>) => void
}

function RowFields({ row, set }: RowFieldsProps) {
  const composer = useComposerWords()
  return (
    <div className={styles.columns}>
      <InputField
        label={composer.rowText}
        required
        maxLength={menuLimits.label}
        help={row.text.length > menuLimits.rowText ? composer.cutAfter(menuLimits.rowText) : undefined}
        value={row.text}
        onChange={({ target }) => set({ text: target.value })}
      />
      <InputField
        label={composer.rowId}
        maxLength={menuLimits.idLength}
        value={row.id}
        onChange={({ target }) => set({ id: target.value })}
      />
      <InputField
        label={composer.rowDescription}
        maxLength={menuLimits.label}
        value={row.description}
        onChange={({ target }) => set({ description: target.value })}
      />
    </div>
  )
}

export function PollBuilder({ draft, change, wrong }: BuilderProps) {
  const composer = useComposerWords()
  const { options } = draft
  return (
    <>
      <BuilderRows
        rows={options}
        onChange={(next) => change({ options: next, selectableCount: Math.min(draft.selectableCount, next.length) })}
        min={menuLimits.pollOptionsMin}
        max={menuLimits.pollOptions}
        name={composer.option}
        add={composer.addOption}
        create={makeOption}
        wrongAt={(index) => wrong(`options.${index}`)}
      >
        {(option, index) => (
          <InputField
            label={composer.rowText}
            required
            maxLength={menuLimits.pollOption}
            value={option.text}
            onChange={({ target }) =>
              change({ options: replaceRow(options, index, { ...option, text: target.value }) })
            }
          />
        )}
      </BuilderRows>
      <SelectField
        label={composer.selectable}
        wrong={wrong('selectableCount')}
        value={draft.selectableCount}
        onChange={({ target }) => change({ selectableCount: Number(target.value) })}
      >
        {[0, ...options.map((_, index) => index + 1)].map((count) => (
          <option key={count} value={count}>
            {count === 0 ? composer.anyNumber : composer.upTo(count)}
          </option>
        ))}
      </SelectField>
    </>
  )
}
