/** Kinds of identity providers. */
const kinds = ['okta', 'entra', 'google', 'keycloak', 'other'] as const;
export type Kind = (typeof kinds)[number];

/** The addresses of the service, to enter at the identity provider. */
export interface ServiceAddresses {
  acsURL: string;
  entityID: string;
  startURL: string;
}

/** What to enter at the identity provider. */
export interface Guide {
  /** The name of the identity provider. */
  name: string;
  /** The menus that lead to the form. */
  where: string;
  /** The names of the form's fields, with the values to enter. */
  fields: { field: string; value: string }[];
  notes: string[];
}

interface Form extends Omit<Guide, 'fields'> {
  fields: readonly (readonly [field: string, value: keyof ServiceAddresses])[];
}

/** The kind of an identity provider, by its entity id and sign-in address. */
export function kindOf({
  entityID = '',
  ssoURL = '',
}: {
  entityID?: string | undefined;
  ssoURL?: string | undefined;
}): Kind {
  const both = `${entityID} ${ssoURL}`;
  if (/\b(okta|oktapreview|okta-emea)\.com\//i.test(both)) return 'okta';
  if (/\/\/(sts\.windows\.net|login\.microsoftonline\.(com|us)|login\.partner\.microsoftonline\.cn)\//i.test(both))
    return 'entra';
  if (/\/\/accounts\.google\.com\//i.test(both)) return 'google';
  if (/\/realms\/[^/\s]+/i.test(both)) return 'keycloak';
  return 'other';
}

/** The form of each kind of identity provider: which address goes into which field. */
const forms: Record<Kind, Form> = {
  okta: {
    name: 'Okta',
    where: 'Admin Console > Applications > your SAML 2.0 application > General > SAML Settings',
    fields: [
      ['Single sign-on URL', 'acsURL'],
      ['Audience URI (SP Entity ID)', 'entityID'],
      ['Login page URL, for a bookmark', 'startURL'],
    ],
    notes: [
      'Tick "Use this for Recipient URL and Destination URL".',
      'Name ID format: EmailAddress. Application username: Email.',
      'Assign the application to people or groups under Assignments.',
    ],
  },
  entra: {
    name: 'Microsoft Entra ID',
    where:
      'Entra admin center > Enterprise applications > your application > Single sign-on > SAML > Basic SAML Configuration',
    fields: [
      ['Identifier (Entity ID)', 'entityID'],
      ['Reply URL (Assertion Consumer Service URL)', 'acsURL'],
      ['Sign on URL', 'startURL'],
    ],
    notes: [
      'Attributes & Claims: set the Unique User Identifier (Name ID) to user.mail, with the format Email address.',
      'Assign people under Users and groups.',
      'Entra creates a new certificate before the old one expires. Run this command again when you activate it.',
    ],
  },
  google: {
    name: 'Google Workspace',
    where: 'Admin console > Apps > Web and mobile apps > Add app > Add custom SAML app > Service provider details',
    fields: [
      ['ACS URL', 'acsURL'],
      ['Entity ID', 'entityID'],
      ['Start URL', 'startURL'],
    ],
    notes: [
      'Name ID format: EMAIL. Name ID: Basic Information > Primary email.',
      'Turn the application on for everyone, or for some groups, under User access.',
    ],
  },
  keycloak: {
    name: 'Keycloak',
    where: 'Admin console > your realm > Clients > Create client, with the client type SAML',
    fields: [
      ['Client ID', 'entityID'],
      ['Valid redirect URIs', 'acsURL'],
      ['Master SAML Processing URL', 'acsURL'],
      ['Home URL', 'startURL'],
    ],
    notes: [
      'Settings: Name ID format email, Force name ID format on, Sign assertions on.',
      'Keys: Client signature required off, because the service does not sign its requests.',
    ],
  },
  other: {
    name: 'the identity provider',
    where: 'in the settings of its SAML 2.0 application (service provider)',
    fields: [
      ['ACS address (Assertion Consumer Service, reply URL)', 'acsURL'],
      ['Entity ID (audience, identifier)', 'entityID'],
      ['Start address (sign-on URL)', 'startURL'],
    ],
    notes: ['Name ID: the email address. Sign the assertions. Do not require signed requests.'],
  },
};

export const nameOf = (kind: Kind): string => forms[kind].name;

/** What to enter at an identity provider so that it sends people to the service. */
export function guideFor(kind: Kind, addresses: ServiceAddresses): Guide {
  const { fields, ...form } = forms[kind];
  return { ...form, fields: fields.map(([field, value]) => ({ field, value: addresses[value] })) };
}
