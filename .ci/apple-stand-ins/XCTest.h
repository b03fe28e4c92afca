// Declarations of XCTest that the stand-ins of the check lack, named as Apple documents them.
#pragma clang assume_nonnull begin
@interface XCTestSuite : XCTest
@end
@protocol XCTestObservation <NSObject>
@optional
- (void)testSuiteWillStart:(XCTestSuite *)testSuite;
- (void)testSuiteDidFinish:(XCTestSuite *)testSuite;
- (void)testCaseWillStart:(XCTestCase *)testCase;
- (void)testCaseDidFinish:(XCTestCase *)testCase;
@end
@interface XCTestObservationCenter : NSObject
@property (class, readonly, strong) XCTestObservationCenter *sharedTestObservationCenter
    __attribute__((swift_name("shared")));
- (void)addTestObserver:(id<XCTestObservation>)testObserver;
@end
#pragma clang assume_nonnull end
