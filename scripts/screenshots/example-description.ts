/** The API of the made-up product. */
export const description = {
  openapi: '3.1.0',
  info: { title: 'Tidewater API', version: '3.2.0', description: 'Water levels, waves and forecasts for every coast.' },
  servers: [{ url: 'https://api.tidewater.example/v3' }],
  tags: [{ name: 'Stations', description: 'Gauges with a place, a datum and an owner. Their names never change.' }],
  security: [{ key: [] }],
  paths: {
    '/stations': {
      get: {
        tags: ['Stations'],
        operationId: 'listStations',
        summary: 'List stations',
        description: 'All stations around a place, nearest first. Without a place, all of them by name.',
        parameters: [
          { in: 'query', name: 'near', description: 'A place, as latitude and longitude.', schema: { type: 'string', examples: ['53.39,-6.07'] } },
          { in: 'query', name: 'km', description: 'How far around it.', schema: { type: 'integer', minimum: 1, maximum: 200, default: 20 } },
          { in: 'query', name: 'kind', schema: { type: 'string', enum: ['gauge', 'buoy', 'radar'] } },
        ],
        responses: {
          200: {
            description: 'The stations',
            content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Station' } } } },
          },
          401: { description: 'The key is missing, or was revoked' },
        },
      },
      post: {
        tags: ['Stations'],
        operationId: 'addStation',
        summary: 'Add a station of your own',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Station' } } },
        },
        responses: {
          201: {
            description: 'The station as it is stored',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Station' } } },
          },
        },
      },
    },
    '/stations/{station}': {
      get: {
        tags: ['Stations'],
        summary: 'Get a station',
        parameters: [{ in: 'path', name: 'station', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: 'The station' }, 404: { description: 'There is no such station' } },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    schemas: {
      Station: {
        type: 'object',
        required: ['name', 'kind'],
        properties: {
          name: { type: 'string', description: 'Stable name, in lower case.', examples: ['dublin-port'] },
          kind: { type: 'string', enum: ['gauge', 'buoy', 'radar'], examples: ['gauge'] },
          datum: { type: 'number', description: 'Height of its zero in metres.', examples: [-2.51] },
          place: {
            type: 'object',
            properties: { lat: { type: 'number', examples: [53.34] }, lon: { type: 'number', examples: [-6.22] } },
          },
        },
      },
    },
  },
}; // prettier-ignore
