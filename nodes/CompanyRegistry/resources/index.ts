export { apiKey } from './apiKey';
export { apiRequest } from './apiRequest';
export { company } from './company';
export { creditRecommendation } from './creditRecommendation';
export { idnoResource } from './idno';
