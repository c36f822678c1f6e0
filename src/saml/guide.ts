/** Kinds of identity providers. */
const kinds = ['okta', 'entra', 'google', 'keycloak', 'other'] as const;
export type Kind = (typeof kinds)[number];

/** The addresses of the service, which are entered at the identity provider. */
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
  /** The values, with the names of the form's fields. */
  fields: { field: string; value: string }[];
  notes: string[];
}

interface Form {
  where: string;
  fields: readonly { field: string; value: keyof ServiceAddresses }[];
  notes: string[];
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

export const names: Record<Kind, string> = {
  okta: 'Okta',
  entra: 'Microsoft Entra ID',
  google: 'Google Workspace',
  keycloak: 'Keycloak',
  other: 'the identity provider',
};

/** The form of each kind of identity provider: which address goes into which field. */
const forms: Record<Kind, Form> = {
  okta: {
    where: 'Admin Console > Applications > your SAML 2.0 application > General > SAML Settings',
    fields: [
      { field: 'Single sign-on URL', value: 'acsURL' },
      { field: 'Audience URI (SP Entity ID)', value: 'entityID' },
      { field: 'Login page URL, for a bookmark', value: 'startURL' },
    ],
    notes: [
      'Tick "Use this for Recipient URL and Destination URL".',
      'Name ID format: EmailAddress. Application username: Email.',
      'Assign the application to people or groups under Assignments.',
    ],
  },
  entra: {
    where:
      'Entra admin center > Enterprise applications > your application > Single sign-on > SAML > Basic SAML Configuration',
    fields: [
      { field: 'Identifier (Entity ID)', value: 'entityID' },
      { field: 'Reply URL (Assertion Consumer Service URL)', value: 'acsURL' },
      { field: 'Sign on URL', value: 'startURL' },
    ],
    notes: [
      'Attributes & Claims: let the Unique User Identifier (Name ID) be user.mail, with the format Email address.',
      'Assign people under Users and groups.',
      'Entra makes a new certificate before the old one expires: run this command again when you activate it.',
    ],
  },
  google: {
    where: 'Admin console > Apps > Web and mobile apps > Add app > Add custom SAML app > Service provider details',
    fields: [
      { field: 'ACS URL', value: 'acsURL' },
      { field: 'Entity ID', value: 'entityID' },
      { field: 'Start URL', value: 'startURL' },
    ],
    notes: [
      'Name ID format: EMAIL. Name ID: Basic Information > Primary email.',
      'Turn the application on for everyone, or for some groups, under User access.',
    ],
  },
  keycloak: {
    where: 'Admin console > your realm > Clients > Create client, with the client type SAML',
    fields: [
      { field: 'Client ID', value: 'entityID' },
      { field: 'Valid redirect URIs', value: 'acsURL' },
      { field: 'Master SAML Processing URL', value: 'acsURL' },
      { field: 'Home URL', value: 'startURL' },
    ],
    notes: [
      'Settings: Name ID format email, Force name ID format on, Sign assertions on.',
      'Keys: Client signature required off; the service has no certificate to check its requests with.',
    ],
  },
  other: {
    where: 'in its settings of a SAML 2.0 application (service provider)',
    fields: [
      { field: 'ACS address (Assertion Consumer Service, reply URL)', value: 'acsURL' },
      { field: 'Entity id (audience, identifier)', value: 'entityID' },
      { field: 'Start address (sign-on URL)', value: 'startURL' },
    ],
    notes: ['Name ID: the email address. Sign the assertions. Require no signed requests.'],
  },
};

/** What to enter at an identity provider so that it sends people to the service. */
export function guideFor(kind: Kind, addresses: ServiceAddresses): Guide {
  const { where, fields, notes } = forms[kind];
  return {
    name: names[kind],
    where,
    fields: fields.map(({ field, value }) => ({ field, value: addresses[value] })),
    notes,
  };
}
