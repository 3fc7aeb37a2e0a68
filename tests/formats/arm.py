"""A small arm in URDF and in SDF, of which tests change a few words."""

ARM = """\
<?xml version="1.0"?>
<robot name="arm">
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0 0 0.2" rpy="0 0 0"/>
      <mass value="2.0"/>
      <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.04"/>
    </inertial>
    <visual>
      <geometry><cylinder radius="0.05" length="0.4"/></geometry>
      <material name="grey"/>
    </visual>
  </link>
  <link name="fore">
    <inertial>
      <origin xyz="0 0 0.15" rpy="0 0.3 0"/>
      <mass value="1.0"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/>
    </inertial>
  </link>
  <link name="tool"/>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 0.1" rpy="0.1 0 0"/>
    <parent link="base"/>
    <child link="upper"/>
    <axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="100" velocity="3"/>
    <dynamics damping="0.5" friction="0.2"/>
  </joint>
  <joint name="elbow" type="continuous">
    <origin xyz="0 0 0.4"/>
    <parent link="upper"/>
    <child link="fore"/>
    <axis xyz="0 1 1"/>
  </joint>
  <joint name="flange" type="fixed">
    <origin xyz="0 0 0.3" rpy="0 1 0"/>
    <parent link="fore"/>
    <child link="tool"/>
  </joint>
</robot>
"""


def changed(old, new, text=ARM):
    """The arm with one place changed."""
    assert text.count(old) >= 1, old
    return text.replace(old, new, 1)


SDF_ARM = """\
<?xml version="1.0"?>
<sdf version="1.11">
  <model name="arm" canonical_link="base">
    <link name="base">
      <inertial>
        <mass>0</mass>
        <inertia><ixx>0</ixx><iyy>0</iyy><izz>0</izz></inertia>
      </inertial>
    </link>
    <link name="upper">
      <pose relative_to="shoulder"/>
      <inertial>
        <pose>0 0 0.2 0 0 0</pose>
        <mass>2.0</mass>
        <inertia><ixx>0.02</ixx><iyy>0.03</iyy><izz>0.04</izz></inertia>
      </inertial>
      <visual name="tube">
        <geometry><cylinder><radius>0.05</radius><length>0.4</length></cylinder></geometry>
        <material><diffuse>0.5 0.5 0.5 1</diffuse></material>
      </visual>
    </link>
    <link name="fore">
      <pose relative_to="elbow"/>
      <inertial>
        <pose>0 0 0.15 0 0.3 0</pose>
        <mass>1.0</mass>
        <inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia>
      </inertial>
    </link>
    <frame name="tool" attached_to="fore">
      <pose>0 0 0.3 0 1 0</pose>
    </frame>
    <joint name="shoulder" type="revolute">
      <pose relative_to="base">0 0 0.1 0.1 0 0</pose>
      <parent>base</parent>
      <child>upper</child>
      <axis>
        <xyz>0 1 0</xyz>
        <limit>
          <lower>-2</lower>
          <upper>2</upper>
          <effort>100</effort>
          <velocity>3</velocity>
        </limit>
        <dynamics><damping>0.5</damping><friction>0.2</friction></dynamics>
      </axis>
    </joint>
    <joint name="elbow" type="continuous">
      <pose relative_to="upper">0 0 0.4 0 0 0</pose>
      <parent>upper</parent>
      <child>fore</child>
      <axis>
        <xyz>0 1 1</xyz>
      </axis>
    </joint>
  </model>
</sdf>
"""


def joint_of(opened, name):
    """A joint of what was read."""
    return next(j for j in opened.spec.joints if j.name == name)


def body_of(opened, name):
    """A body of what was read."""
    return next(b for b in opened.spec.bodies if b.name == name)
