import type { Instance, UpdateDefaultCountryRequest } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { isCountry } from '../../../schemas/phone-number.js'
import { instanceRecord } from '../../answers/instance-record.js'
import { instanceRoute } from '../../route.js'

export const updateDefaultCountry = instanceRoute<UpdateDefaultCountryRequest>({
  method: 'POST',
  path: '/instance/updateDefaultCountry',
  name: 'updateDefaultCountry',
  area: 'Instance',
  scope: 'token',
  summary: 'Choose the country whose national numbers are taken',
  schema: 'instance/update-default-country.json',
  errors: ['INSTANCE_NOT_FOUND'],
  async handle({ instance, body }, { ports, options }): Promise<Instance> {
    const country = body.defaultCountry.trim().toUpperCase()
    if (country !== '' && !isCountry(country))
      throw invalidField('defaultCountry', 'must be an ISO 3166 code of two letters, such as BR, or empty')
    return instanceRecord(await ports.instances.setDefaultCountry(instance.id, country), options)
  },
})
