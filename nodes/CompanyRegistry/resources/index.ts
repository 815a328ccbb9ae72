export { apiKey } from './apiKey';
export { customRegistryRequest } from './apiRequest';
export { company } from './company';
export { creditRecommendation } from './creditRecommendation';
export { idnoResource } from './idno';
