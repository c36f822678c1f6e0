/** Bare Base64, as metadata have it. Valid from 2025 to 2055, but for `expired` (2015); `weak` has an RSA key of 1024 bits. */
export const certificates = {
  signing:
    'MIIBQDCB5wICEAAwCgYIKoZIzj0EAwIwKzEOMAwGA1UECgwFTHVtZW4xGTAXBgNVBAMMEGlkLmx1bWVuLmV4YW1wbGUwIBcNMjUwMTAxMDAwMDAwWhgPMjA1NTAxMDEwMDAwMDBaMCsxDjAMBgNVBAoMBUx1bWVuMRkwFwYDVQQDDBBpZC5sdW1lbi5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEJJFBYSkD2EOBdkEWKiX/aFKmZ79mwOYZ9ZgvbY2g3MDHfv/2xUMefGyLoUvRQ/a+lNMSBcnFmOvXSSaXHozjZzAKBggqhkjOPQQDAgNIADBFAiEA5iWegnrDedv7FUqFbg6/4b3zQTO0ssuiQfqWCXOZ0hsCIAfyHNdf8dh0bCeHSj3e76L7enZxZxHyHD3GekBsvQ2s',
  next: 'MIIBSTCB8QICEAEwCgYIKoZIzj0EAwIwMDEOMAwGA1UECgwFTHVtZW4xHjAcBgNVBAMMFWlkLmx1bWVuLmV4YW1wbGUgbmV4dDAgFw0yNTA2MDEwMDAwMDBaGA8yMDU2MDEwMTAwMDAwMFowMDEOMAwGA1UECgwFTHVtZW4xHjAcBgNVBAMMFWlkLmx1bWVuLmV4YW1wbGUgbmV4dDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABIflvK2jmBa9c7i96vnTf0hHNa5XUMiIZGZMjZdYVtQM75rpCSC14eMo+8neEGXmkw24G7C1UZwsOnc5ie6+kwAwCgYIKoZIzj0EAwIDRwAwRAIgJ6xGRZnCQx6zv0m9R1kprGysP0lIClPMKkmyvdxC178CIEnxqXjlTd2YfTDv1fVIiG854Zm+A/Zt1uxsEZUeaZSC',
  encryption:
    'MIIBMzCB2wICEAIwCgYIKoZIzj0EAwIwJTEOMAwGA1UECgwFTHVtZW4xEzARBgNVBAMMCmVuY3J5cHRpb24wIBcNMjUwMTAxMDAwMDAwWhgPMjA1NTAxMDEwMDAwMDBaMCUxDjAMBgNVBAoMBUx1bWVuMRMwEQYDVQQDDAplbmNyeXB0aW9uMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEhtvhPrxm54tXqaoqDERZNHQ9iOO7Ow1gXAUjy1Bq1REEM9xJvLq8XkAEpxXwGh3dAsL4E06XfGb7lnBYmwAd+zAKBggqhkjOPQQDAgNHADBEAiBYlelLECkemR9r8vmf5Tbh3owGsqSVGi+X0U0e9jHziwIgQbguvhjhLTuKm1jcvw/o9OLRAuMZoIvxLj0wlS4iV7s=',
  expired:
    'MIIBRjCB7QICEAMwCgYIKoZIzj0EAwIwLzEOMAwGA1UECgwFTHVtZW4xHTAbBgNVBAMMFGlkLmx1bWVuLmV4YW1wbGUgb2xkMB4XDTE1MDEwMTAwMDAwMFoXDTE2MDEwMTAwMDAwMFowLzEOMAwGA1UECgwFTHVtZW4xHTAbBgNVBAMMFGlkLmx1bWVuLmV4YW1wbGUgb2xkMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEhCiPWjetqdw4vQIQzsWn8hCw7OzMAiZltdr7P/BwekkvBUvUtSM9WD0HoLW8cMC3ujS9uiqtTDXviRY4vvDSjDAKBggqhkjOPQQDAgNIADBFAiB0X7js3M6K0MWFRuy/jdKVkhrkgVe0FG/PYyO55V/JDAIhAIFBo+tLeRg6EPKfcmkoErsdG9xbGH1Xl7uhwPiwvorY',
  weak: 'MIIBjzCB+QICEAQwDQYJKoZIhvcNAQELBQAwDzENMAsGA1UEAwwEd2VhazAgFw0yNTAxMDEwMDAwMDBaGA8yMDU1MDEwMTAwMDAwMFowDzENMAsGA1UEAwwEd2VhazCBnzANBgkqhkiG9w0BAQEFAAOBjQAwgYkCgYEAzTRyOevz5duM4XOW0cuhC1SsO59dMYy9/fL7TIRGM4hhgXAKhOFlTKSQh6Q6FzXB9LAbhXgJPB7Kav0Qp0A2GHH8E35sY7ziMaBh4nhgKEcpleqWanWss9cd5bis18VYhftX1Akk6r89H5tkP1uDii2FL+Pw3CtEd3uXNz4h7T8CAwEAATANBgkqhkiG9w0BAQsFAAOBgQAIg7FImzX963iDhakRyG7MG9T1kqqMantfUGIKdUg15X2oDVa2yoM3RbqsDR0P+qnHnKIUwlVNsriJVZ8oR6kGXQLoEORZL7Q+4tczfPTUqljkmqWb3CK8CjlHlDnFcmud3ei8ay5HfiSo2X1C5MVTGXkgILXOerLP3BF9KVlYKw==',
};

export const pem = (base64: string) =>
  `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;

const saml2 = 'urn:oasis:names:tc:SAML:2.0';

/** As Keycloak 26 gives them at /realms/<realm>/protocol/saml/descriptor. */
export const keycloak = (certificate: string, base = 'https://id.lumen.example') => `
<md:EntityDescriptor xmlns="${saml2}:metadata" xmlns:md="${saml2}:metadata" xmlns:saml="${saml2}:assertion" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${base}/realms/lumen">
  <md:IDPSSODescriptor WantAuthnRequestsSigned="true" protocolSupportEnumeration="${saml2}:protocol">
    <md:KeyDescriptor use="signing">
      <ds:KeyInfo>
        <ds:KeyName>SO1zm7gOpX2xlm16</ds:KeyName>
        <ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data>
      </ds:KeyInfo>
    </md:KeyDescriptor>
    <md:ArtifactResolutionService Binding="${saml2}:bindings:SOAP" Location="${base}/realms/lumen/protocol/saml/resolve" index="0"/>
    <md:SingleLogoutService Binding="${saml2}:bindings:HTTP-POST" Location="${base}/realms/lumen/protocol/saml/logout"/>
    <md:NameIDFormat>${saml2}:nameid-format:persistent</md:NameIDFormat>
    <md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</md:NameIDFormat>
    <md:SingleSignOnService Binding="${saml2}:bindings:HTTP-POST" Location="${base}/realms/lumen/protocol/saml"/>
    <md:SingleSignOnService Binding="${saml2}:bindings:HTTP-Redirect" Location="${base}/realms/lumen/protocol/saml"/>
    <md:SingleSignOnService Binding="${saml2}:bindings:SOAP" Location="${base}/realms/lumen/protocol/saml"/>
  </md:IDPSSODescriptor>
</md:EntityDescriptor>`;

/** As Okta gives them at /app/<id>/sso/saml/metadata: one line, but for the certificate. */
export const okta = (certificate: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><md:EntityDescriptor entityID="http://www.okta.com/exk1lumen" xmlns:md="${saml2}:metadata"><md:IDPSSODescriptor WantAuthnRequestsSigned="false" protocolSupportEnumeration="${saml2}:protocol"><md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${certificate.replace(/.{64}/g, '$&\n')}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</md:NameIDFormat><md:SingleSignOnService Binding="${saml2}:bindings:HTTP-POST" Location="https://lumen.okta.com/app/lumen_docs_1/exk1lumen/sso/saml"/><md:SingleSignOnService Binding="${saml2}:bindings:HTTP-Redirect" Location="https://lumen.okta.com/app/lumen_docs_1/exk1lumen/sso/saml"/></md:IDPSSODescriptor></md:EntityDescriptor>`;

/** As Entra ID gives them: signed as a whole, with keys of another protocol beside those of SAML. */
export const entra = (signer: string, certificate: string) => `\uFEFF<?xml version="1.0" encoding="utf-8"?>
<EntityDescriptor ID="_1" entityID="https://sts.windows.net/0f1e2d3c/" xmlns="${saml2}:metadata">
  <Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><KeyInfo><X509Data><X509Certificate>${signer}</X509Certificate></X509Data></KeyInfo></Signature>
  <RoleDescriptor xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="fed:SecurityTokenServiceType" protocolSupportEnumeration="http://docs.oasis-open.org/wsfed/federation/200706" xmlns:fed="http://docs.oasis-open.org/wsfed/federation/200706">
    <KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${signer}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>
  </RoleDescriptor>
  <IDPSSODescriptor protocolSupportEnumeration="${saml2}:protocol">
    <KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${certificate}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>
    <SingleLogoutService Binding="${saml2}:bindings:HTTP-Redirect" Location="https://login.microsoftonline.com/0f1e2d3c/saml2"/>
    <SingleSignOnService Binding="${saml2}:bindings:HTTP-Redirect" Location="https://login.microsoftonline.com/0f1e2d3c/saml2"/>
    <SingleSignOnService Binding="${saml2}:bindings:HTTP-POST" Location="https://login.microsoftonline.com/0f1e2d3c/saml2"/>
  </IDPSSODescriptor>
</EntityDescriptor>`;

const key = (use: string, certificate: string) =>
  `<md:KeyDescriptor${use === '' ? '' : ` use="${use}"`}><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;

/** An identity provider with these keys. */
export const provider = (entityID: string, keys: [use: string, certificate: string][], binding = 'HTTP-POST') =>
  `<md:EntityDescriptor xmlns:md="${saml2}:metadata" entityID="${entityID}"><md:IDPSSODescriptor protocolSupportEnumeration="${saml2}:protocol">${keys.map(([use, certificate]) => key(use, certificate)).join('')}<md:SingleSignOnService Binding="${saml2}:bindings:${binding}" Location="${entityID}/sso"/></md:IDPSSODescriptor><md:Organization><md:OrganizationDisplayName xml:lang="de">Anmeldung</md:OrganizationDisplayName><md:OrganizationDisplayName xml:lang="en">Sign-in</md:OrganizationDisplayName></md:Organization></md:EntityDescriptor>`;

/** A document with several providers in nested groups, as federations have. */
export const federation = (...providers: string[]) =>
  `<md:EntitiesDescriptor xmlns:md="${saml2}:metadata"><md:EntitiesDescriptor>${providers.join('\n')}</md:EntitiesDescriptor></md:EntitiesDescriptor>`;

export const service = `<md:EntityDescriptor xmlns:md="${saml2}:metadata" entityID="https://app.example"><md:SPSSODescriptor protocolSupportEnumeration="${saml2}:protocol"/></md:EntityDescriptor>`;
