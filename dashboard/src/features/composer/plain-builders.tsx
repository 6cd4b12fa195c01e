import { fieldLimits } from '../../api/limits.js'
import { InputField, SelectField } from '../../components/field.js'
import { useComposerWords } from '../../words/composer/index.js'
import styles from './composer.module.css'
import type { Draft } from './draft.js'
import type { BuilderProps } from './message-editor.js'

const PIX_TYPES = ['CPF', 'CNPJ', 'PHONE', 'EMAIL', 'EVP'] as const

type TextPart = { readonly [Name in keyof Draft]: Draft[Name] extends string ? Name : never }[keyof Draft]

/** Returns the properties of an input that holds one field of the draft. */
function bindField({ draft, change, wrong }: BuilderProps, name: Exclude<TextPart, 'kind'>) {
  return {
    value: draft[name],
    wrong: wrong(name),
    onChange: ({ target }: { readonly target: { readonly value: string } }) => change({ [name]: target.value }),
  }
}

export function LocationBuilder(props: BuilderProps) {
  const composer = useComposerWords()
  const { location } = fieldLimits
  return (
    <div className={styles.columns}>
      <InputField
        {...bindField(props, 'latitude')}
        label={composer.latitude}
        required
        inputMode="decimal"
        placeholder="-23.5505"
      />
      <InputField
        {...bindField(props, 'longitude')}
        label={composer.longitude}
        required
        inputMode="decimal"
        placeholder="-46.6333"
      />
      <InputField {...bindField(props, 'place')} label={composer.placeName} maxLength={location.name.maxLength} />
      <InputField {...bindField(props, 'address')} label={composer.address} maxLength={location.address.maxLength} />
    </div>
  )
}

export function ContactBuilder(props: BuilderProps) {
  const composer = useComposerWords()
  const { contact } = fieldLimits
  return (
    <div className={styles.columns}>
      <InputField
        {...bindField(props, 'fullName')}
        label={composer.fullName}
        required
        maxLength={contact.fullName.maxLength}
      />
      <InputField
        {...bindField(props, 'phoneNumber')}
        label={composer.phoneNumber}
        help={composer.phoneNumberHelp}
        required
        maxLength={contact.phoneNumber.maxLength}
      />
      <InputField
        {...bindField(props, 'organization')}
        label={composer.organization}
        maxLength={contact.organization.maxLength}
      />
      <InputField {...bindField(props, 'email')} label={composer.email} maxLength={contact.email.maxLength} />
      <InputField {...bindField(props, 'url')} label={composer.url} maxLength={contact.url.maxLength} />
    </div>
  )
}

export function PixBuilder(props: BuilderProps) {
  const composer = useComposerWords()
  const { pix } = fieldLimits
  return (
    <div className={styles.columns}>
      <SelectField {...bindField(props, 'pixType')} label={composer.pixType}>
        {PIX_TYPES.map((type) => (
          <option key={type} value={type}>
            {composer.pixTypes[type]}
          </option>
        ))}
      </SelectField>
      <InputField {...bindField(props, 'pixKey')} label={composer.pixKey} required maxLength={pix.pixKey.maxLength} />
      <InputField
        {...bindField(props, 'pixName')}
        label={composer.pixName}
        placeholder="Pix"
        maxLength={pix.pixName.maxLength}
      />
    </div>
  )
}
