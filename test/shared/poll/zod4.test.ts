/** The nodes get n8n's version of zod. Version 3.25 also contains version 4, with which each state is read here. */
jest.mock('zod', () => jest.requireActual<object>('zod/v4'));

import './state.test';
