internal import RIBs

protocol DriverInfoInteractable: Interactable {}

final class DriverInfoRouter: Router<any DriverInfoInteractable>, DriverInfoRouting {}
