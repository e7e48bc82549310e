package gen

// The pressures: what makes a case hostile. Each is one way in which careless
// code comes close to the right answer without having it.
const (
	// apart draws what is required and what is certified without regard to each
	// other.
	apart = iota
	// nearMiss certifies everything that is required but one class.
	nearMiss
	// covered certifies everything, so that one flag decides.
	covered
	// gapBehind certifies everything over an ancestry that is not certified.
	gapBehind
	// lookAlike is a near miss in which a class of almost the same name is
	// certified instead.
	lookAlike
)

// pressureWeights are in the order of the pressures.
var pressureWeights = []int{10, 2, 5, 1, 2}
